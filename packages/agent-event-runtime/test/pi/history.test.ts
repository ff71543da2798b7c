import { describe, expect, test } from "vitest";
import { type AgentRuntimeEvent, type RawFrame, piAdapter } from "../../src/index.ts";
import { type PlayStep as Step, account, play, received, repeated, sent } from "../../src/testing/index.ts";
import { rowsOf } from "../projections/rows-of.ts";
import { recording } from "./recordings.ts";
import { handedOver } from "./talk.ts";

/** Recordings whose first run completes: what pi's session file would hold of it stands in its agent_end. */
const NAMES = [
  "1.6.0-02-prompt-text",
  "1.6.0-03-thinking",
  "1.6.0-06-parallel-tools",
  "1.6.0-07-bad-tools",
  "1.6.0-08-steer",
];

interface Story {
  /** The frames from the prompt on, until pi settled. */
  readonly live: readonly Step[];
  /** The messages of the session file. */
  readonly messages: readonly unknown[];
}

function storyOf(name: string): Story {
  const { steps } = recording(name);
  const from = steps.findIndex((step) => typeOf(step) === "prompt");
  const to = steps.findIndex((step) => typeOf(step) === "agent_settled");
  const live = steps.slice(from, to + 1);
  const end = live.find((step) => typeOf(step) === "agent_end");
  const messages = payloadOf(end)["messages"] as readonly { readonly role: string }[];
  return { live, messages: messages.filter(({ role }) => role !== "system") };
}

function payloadOf(step: Step | undefined): Record<string, unknown> {
  const raw: RawFrame | undefined = step?.do === "frame" ? step.frame : undefined;
  return (raw?.kind === undefined ? raw?.payload : undefined) as Record<string, unknown>;
}

function typeOf(step: Step): unknown {
  return step.do === "frame" && step.frame.kind === undefined ? payloadOf(step)?.["type"] : undefined;
}

function retold(messages: readonly unknown[], complete: boolean): readonly Step[] {
  return [
    ...messages.map((message) => received({ type: "message", message }, 1, "history")),
    received({ type: "end", complete }, 1, "history"),
  ];
}

function verdict(events: readonly AgentRuntimeEvent[]): AgentRuntimeEvent | undefined {
  return events.find((event) => event.type === "run.ended");
}

function without(event: AgentRuntimeEvent | undefined): unknown {
  return { ...event, seq: 0, frame: 0, time: 0, runId: "" };
}

/** What a reader sees, whatever the ids and times. */
function told(events: readonly AgentRuntimeEvent[]): readonly string[] {
  return rowsOf(events).map((row) => {
    switch (row.type) {
      case "input":
        return `input ${row.inputId ?? ""} ${row.status}`;
      case "text":
      case "reasoning":
        return `${row.type} ${row.outcome ?? ""} ${row.text}`;
      case "tool":
        return `tool ${row.name} ${JSON.stringify(row.input)} ${row.outcome ?? ""} ${row.output ?? ""}`;
      default:
        return row.type;
    }
  });
}

describe("history told again after the host died", () => {
  test.each(NAMES)("completes %s to the same transcript and verdict, wherever the log was cut", (name) => {
    const { live, messages } = storyOf(name);
    const whole = play(piAdapter, live);
    const sends = live.flatMap((step, index) =>
      step.do === "frame" && step.frame.kind === undefined && step.frame.dir === "sent" ? [index] : [],
    );
    const lastSend = sends.at(-1) ?? 0;
    for (let cut = lastSend + 1; cut < live.length; cut += 1) {
      const { events, snapshot } = play(piAdapter, [...live.slice(0, cut), ...retold(messages, true)]);
      expect(told(events).toSorted()).toEqual(told(whole.events).toSorted());
      expect(without(verdict(events))).toEqual(without(verdict(whole.events)));
      expect(verdict(events)?.replayed).toBeUndefined();
      expect(snapshot.open).toEqual([]);
      expect(repeated(account(events).opened)).toEqual([]);
      expect(events.filter((event) => event.type === "diagnostic")).toEqual([]);
    }
  });

  test("marks what it tells as replayed, except that the run began and took the input up", () => {
    const { messages } = storyOf("1.6.0-02-prompt-text");
    const { events } = play(piAdapter, [
      sent({ type: "prompt", message: "hi [[text]]" }, "in-1"),
      ...retold(messages, true),
    ]);
    const news = events.filter((event) => event.replayed !== true).map((event) => event.type);
    expect(news).toEqual(["input.sent", "run.started", "input.joined", "input.ended", "run.ended"]);
    expect(events.filter((event) => event.replayed === true).map((event) => event.type)).toEqual([
      "message.started",
      "part.ended",
      "message.ended",
      "message.started",
      "part.ended",
      "message.ended",
    ]);
  });

  test("shows of a prompt that holds more than the user's words those alone", () => {
    const { messages } = storyOf("1.6.0-02-prompt-text");
    const [, ...answers] = messages;
    const echo = { role: "user", content: [{ type: "text", text: "a transcript\n\nhi" }] };
    const { events } = play(piAdapter, [handedOver("hi", "in-1"), ...retold([echo, ...answers], true)]);
    expect(rowsOf(events).filter((row) => row.type === "input")).toMatchObject([
      { inputId: "in-1", status: "answered", parts: [{ type: "text", text: "hi" }] },
    ]);
  });

  test("leaves the verdict to the host where the file does not say that the answer was complete", () => {
    const { live, messages } = storyOf("1.6.0-06-parallel-tools");
    const { events, snapshot } = play(piAdapter, [
      ...live.slice(0, 10),
      ...retold(messages.slice(0, 3), false),
    ]);
    expect(verdict(events)).toBeUndefined();
    expect(snapshot.open.map((item) => item.kind)).toContain("run");
    const ended = events.filter((event) => event.type === "tool.ended");
    expect(ended).toMatchObject([{ outcome: "ok", output: "one\n", replayed: true }]);
  });

  test("skips what the log holds, however often the same history is told", () => {
    const { live, messages } = storyOf("1.6.0-06-parallel-tools");
    const told = messages
      .slice(0, 4)
      .map((message, index) => received({ type: "message", index, message }, 1, "history"));
    const once = play(piAdapter, [...live.slice(0, 5), ...told]);
    const twice = play(piAdapter, [...live.slice(0, 5), ...told, ...told.slice(0, 2), ...told]);
    expect(twice.events).toEqual(once.events);
  });

  test("completes a text that the log holds in part under its own ids", () => {
    const { live, messages } = storyOf("1.6.0-02-prompt-text");
    const cut = live.findIndex((step) => payloadOf(step)["type"] === "message_update") + 3;
    const { events } = play(piAdapter, [...live.slice(0, cut), ...retold(messages, true)]);
    const delta = events.find((event) => event.type === "message.delta");
    const whole = events.findLast((event) => event.type === "part.ended");
    expect(whole).toMatchObject({ messageId: delta?.messageId, partId: delta?.partId, replayed: true });
  });
});
