import { describe, expect, test } from "vitest";
import type { AgentRuntimeEvent } from "../../../src/index.ts";
import { type PlayStep, account, received, repeated } from "../../../src/testing/index.ts";
import { rowsOf } from "../../projections/rows-of.ts";
import { recording } from "./recordings.ts";
import {
  assistant,
  call,
  canUseTool,
  control,
  eventsOf,
  fate,
  init,
  only,
  played,
  prompt,
  result,
  system,
  text,
  typesOf,
} from "./said.ts";

/** What passed between host and CLI, and the rows of the CLI's own record. */
interface Story {
  readonly live: readonly PlayStep[];
  readonly rows: readonly PlayStep[];
}

function storyOf(name: string): Story {
  const frames = recording(`2.1.332-history-${name}`).steps.filter((step) => step.do === "frame");
  const isRow = ({ frame }: (typeof frames)[number]): boolean =>
    frame.kind === undefined && frame.channel === "history";
  return { live: frames.filter((step) => !isRow(step)), rows: frames.filter(isRow) };
}

function isSent(step: PlayStep): boolean {
  return step.do === "frame" && step.frame.kind === undefined && step.frame.dir === "sent";
}

/** What a reader sees of inputs, texts and calls, whatever the ids and times. */
function told(events: readonly AgentRuntimeEvent[]): readonly string[] {
  return rowsOf(events).flatMap((row) => {
    switch (row.type) {
      case "input":
        return [`input ${row.status} ${JSON.stringify(row.parts)}`];
      case "text":
      case "reasoning":
        return [`${row.type} ${row.text}`];
      case "tool":
        return [`tool ${row.name} ${JSON.stringify(row.input)} ${row.outcome ?? ""} ${row.output ?? ""}`];
      default:
        return [];
    }
  });
}

/** What every run came to; the record does not know the cost. */
function verdicts(events: readonly AgentRuntimeEvent[]): readonly unknown[] {
  return only(events, "run.ended").map(({ outcome, reason, stopReason, usage }) => ({
    outcome,
    reason,
    stopReason,
    usage,
  }));
}

function row(payload: object): PlayStep {
  return received(payload, 1, "history");
}

function end(complete = true): PlayStep {
  return row({ type: "history.end", complete });
}

function userRow(content: unknown, more: object = {}): PlayStep {
  return row({ type: "user", message: { role: "user", content }, ...more });
}

function answerRow(id: string, content: readonly object[], stop = "end_turn", more: object = {}): PlayStep {
  const message = { id, role: "assistant", model: "m-1", content, stop_reason: stop };
  return row({ type: "assistant", message, ...more });
}

const asked = [prompt("go", { uuid: "u1", inputId: "in-1" }), fate("u1", "queued")];
const begun = [...asked, fate("u1", "started"), init({ user_message_uuids: ["u1"] })];

describe("the record of claude, told again after the host died", () => {
  test.each([
    ["finished", Infinity],
    ["streamed", Infinity],
    ["folded", Infinity],
    ["coalesced", Infinity],
    ["background", 12], // up to the end of the turn, after which a run of the CLI's own begins
  ])("completes the story %s to the same transcript and verdict, wherever the log was cut", (name, most) => {
    const { live, rows } = storyOf(name);
    const whole = played(live);
    const lastSend = live.findLastIndex(isSent);
    for (let cut = lastSend + 1; cut <= Math.min(most, live.length); cut += 1) {
      const { events, snapshot } = played([...live.slice(0, cut), ...rows]);
      expect(told(events).toSorted()).toEqual(told(whole.events).toSorted());
      expect(verdicts(events)).toEqual(verdicts(whole.events));
      expect(only(events, "run.ended").some(({ replayed }) => replayed)).toBe(false);
      expect(snapshot.open.map(({ kind }) => kind).filter((kind) => kind !== "task")).toEqual([]);
      expect(repeated(account(events).opened)).toEqual([]);
      expect(only(events, "diagnostic")).toEqual([]);
    }
  });

  test("may be told again, and from any row before on", () => {
    for (const name of ["finished", "streamed", "folded"]) {
      const { live, rows } = storyOf(name);
      const open = live.slice(0, live.findLastIndex(isSent) + 3);
      const once = played([...open, ...rows.slice(0, -1)]).events;
      const earlier = [
        userRow("before", { uuid: "u0" }),
        answerRow("msg_0", [text("earlier")], "end_turn", { uuid: "a0" }),
      ];
      const again = [...rows.slice(0, 3), end(false), ...rows.slice(0, -1), ...rows.slice(0, -1)];
      expect(told(played([...open, ...again]).events)).toEqual(told(once));
      expect(told(played([...open, ...earlier, ...rows.slice(0, -1)]).events)).toEqual(told(once));
    }
  });

  test("shows of a prompt that holds more than the user's words those alone", () => {
    const parts = [{ type: "text", text: "hi" }] as const;
    const whole = [text("a transcript"), text("hi")];
    const events = eventsOf([
      prompt(whole, { uuid: "u1", inputId: "in-1", parts }),
      userRow(whole, { uuid: "u1" }),
      answerRow("msg_1", [text("ho")]),
      end(),
    ]);
    expect(told(events)).toEqual(['input answered [{"type":"text","text":"hi"}]', "text ho"]);
  });

  test("marks what fills the transcript as replayed, and what became of runs and inputs as news", () => {
    const { live, rows } = storyOf("finished");
    const { events } = played([...live.slice(0, 1), ...rows]);
    const news = events.filter((event) => event.replayed !== true);
    expect(typesOf(news)).toEqual(["input.sent", "run.started", "input.joined", "input.ended", "run.ended"]);
    expect(typesOf(events.filter((event) => event.replayed === true))).toEqual([
      "message.started",
      "tool.started",
      "tool.ended",
      "message.ended",
      "message.started",
      "part.ended",
      "message.ended",
    ]);
  });

  test("leaves a run open that it does not show the end of", () => {
    for (const name of ["in-tool", "folded-killed", "behind"]) {
      const { live, rows } = storyOf(name);
      const { events, snapshot } = played([...live, ...rows]);
      expect(snapshot.open.map(({ kind }) => kind)).toContain("run");
      expect(events).toEqual(played(live).events);
    }
    const { live, rows } = storyOf("in-tool");
    const { events } = played([...live.slice(0, -2), ...rows]);
    expect(only(events, "tool.started").at(-1)).toMatchObject({ input: { command: "echo b; sleep 20" } });
  });

  test("says nothing of the end when the file was not read to its own", () => {
    const { live, rows } = storyOf("finished");
    const { events } = played([...live.slice(0, 5), ...rows.slice(0, -1), end(false)]);
    expect(only(events, "run.ended")).toEqual([]);
    expect(told(events)).toContain("text The answer.");
  });

  test("shows which inputs were delivered: as a row, with others in one, in the turn", () => {
    const waiting = [...asked, prompt("more", { uuid: "u2", inputId: "in-2" })];
    const joins = (...rows: readonly PlayStep[]) =>
      only(eventsOf([...waiting, ...rows, end()]), "input.joined").map(({ inputId }) => inputId);
    expect(joins(userRow("go", { uuid: "u1" }))).toEqual(["in-1"]);
    expect(joins(userRow("go\nmore", { uuid: "u2", mergedSendUuids: ["u1"] }))).toEqual(["in-1", "in-2"]);
    const attachment = { type: "queued_command", source_uuid: "u2", prompt: "more" };
    expect(joins(userRow("go", { uuid: "u1" }), row({ type: "attachment", attachment }))).toEqual([
      "in-1",
      "in-2",
    ]);
    expect(joins(row({ type: "queue-operation", operation: "enqueue", content: "go" }))).toEqual([]);
    for (const said of [
      "[Request interrupted by user]",
      "<command-name>x</command-name>",
      "<local-command-caveat>",
    ])
      expect(joins(userRow(said, { uuid: "u1" }))).toEqual(["in-1"]);
    const unheard = [asked[0], waiting.at(-1), userRow("more", { uuid: "u2" })];
    const events = eventsOf(unheard.filter((step) => step !== undefined));
    expect(only(events, "input.joined")).toMatchObject([{ inputId: "in-2" }]);
  });

  test("tells an interrupt, a failed call of the model, and a command of the CLI's own", () => {
    const cut = (name: string): readonly AgentRuntimeEvent[] => {
      const { live, rows } = storyOf(name);
      return eventsOf([...live.slice(0, live.findLastIndex(isSent) + 1), ...rows]);
    };
    const interrupted = cut("interrupted");
    expect(only(interrupted, "run.ended")).toMatchObject([
      { outcome: "cancelled", reason: "harness.aborted_tools" },
    ]);
    expect(only(interrupted, "tool.ended").map(({ outcome }) => outcome)).toEqual([
      "ok",
      "cancelled",
      "cancelled",
    ]);
    expect(only(cut("api-error"), "run.ended")).toMatchObject([
      {
        outcome: "failed",
        reason: "harness.api_error",
        error: { code: "history-rejected", message: "API Error: 400 messages: bad", status: 400 },
      },
    ]);
    const command = eventsOf([
      ...asked,
      userRow("<local-command-caveat>not for you</local-command-caveat>", { isMeta: true, uuid: "m1" }),
      userRow("<command-name>/context</command-name>", { uuid: "u1" }),
      row({
        type: "system",
        subtype: "local_command",
        content: "<local-command-stdout>10%</local-command-stdout>",
      }),
      end(),
    ]);
    expect(only(command, "input.ended")).toMatchObject([{ inputId: "in-1", outcome: "handled" }]);
    expect(only(command, "run.ended")).toMatchObject([{ outcome: "completed", reason: "harness.success" }]);
    expect(only(command, "notice.added")).toMatchObject([{ text: "10%", replayed: true }]);
  });

  test("takes the output of a change of settings for no answer to what was sent", () => {
    const events = eventsOf([
      ...begun,
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [text("Done.")], "end_turn", { uuid: "a1" }),
      userRow("<command-name>/model</command-name>", { uuid: "x1" }),
      userRow("<local-command-stdout>Set model</local-command-stdout>", { uuid: "x2" }),
      end(),
    ]);
    expect(only(events, "run.ended")).toMatchObject([{ outcome: "completed", reason: "harness.completed" }]);
    expect(only(events, "input.ended")).toMatchObject([{ outcome: "answered" }]);
  });

  test("ends a compaction that the log has begun", () => {
    const boundary = {
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: "auto", preTokens: 9, postTokens: 2 },
    };
    const compacting = [...begun, system("status", { status: "compacting" })];
    expect(only(eventsOf([...compacting, row(boundary)]), "compaction.ended")).toMatchObject([
      { outcome: "completed", tokensBefore: 9, tokensAfter: 2, replayed: true },
    ]);
    expect(only(eventsOf([...begun, row(boundary)]), "compaction.ended")).toEqual([]);
  });

  test("goes on with the words that the CLI put in", () => {
    const events = eventsOf([
      ...begun,
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [text("Cut o")], "max_tokens", { uuid: "a1" }),
      userRow("Output token limit hit.", { isMeta: true, uuid: "m1" }),
      answerRow("msg_2", [text("ff.")], "end_turn", { uuid: "a2" }),
      end(),
    ]);
    expect(only(events, "message.started").map(({ role, synthetic }) => [role, synthetic])).toEqual([
      ["assistant", undefined],
      ["user", true],
      ["assistant", undefined],
    ]);
    expect(only(events, "run.ended")).toMatchObject([{ outcome: "completed", stopReason: "end_turn" }]);
  });

  test("ends what asks about a call that has ended since, as news", () => {
    const events = eventsOf([
      ...begun,
      assistant("msg_1", [call("t1", "Bash")], { uuid: "a1" }),
      canUseTool("r1", { tool_name: "Bash", input: {}, tool_use_id: "t1" }),
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [call("t1", "Bash")], "tool_use", { uuid: "a1" }),
      userRow([{ type: "tool_result", tool_use_id: "t1", content: "no", is_error: true }], {
        uuid: "x1",
        permissionDecision: { decision: "reject" },
      }),
      end(),
    ]);
    expect(only(events, "tool.ended")).toMatchObject([{ outcome: "denied", replayed: true }]);
    expect(only(events, "permission.ended")).toMatchObject([{ outcome: "cancelled", by: "harness" }]);
    expect(only(events, "permission.ended")[0]).not.toHaveProperty("replayed");
    expect(only(events, "run.ended")).toEqual([]);
  });

  test("has no verdict while a call is open, or when the log knows of more than it", () => {
    const rows = [
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [text("Done.")], "end_turn", { uuid: "a1" }),
    ];
    const ends = (...steps: readonly PlayStep[]) =>
      only(eventsOf([...begun, ...steps, ...rows, end()]), "run.ended").map(({ outcome }) => outcome);
    expect(ends()).toEqual(["completed"]);
    expect(ends(assistant("msg_0", [call("t1", "Bash")]))).toEqual([]);
    expect(ends(assistant("msg_2", [text("more")], { uuid: "a2" }))).toEqual([]);
  });

  test("skips the rows of subagents, of what it does not know, and of prompts that are none of ours", () => {
    const story = [
      ...begun,
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [text("Done.")], "end_turn", { uuid: "a1" }),
    ];
    const aside = [
      userRow("child", { uuid: "s1", isSidechain: true }),
      answerRow("msg_s", [text("child")], "end_turn", { uuid: "s2", isSidechain: true }),
      row({ type: "last-prompt", lastPrompt: "go" }),
      row({ type: "hologram" }),
      row({ type: "system", subtype: "hologram" }),
      row({ type: "attachment", attachment: { type: "date" } }),
    ];
    expect(eventsOf([...story, ...aside, end()]).map(({ type }) => type)).toEqual(
      eventsOf([...story, end()]).map(({ type }) => type),
    );
    const foreign = eventsOf([
      ...story,
      userRow("theirs", { uuid: "x1" }),
      answerRow("msg_x", [text("for them")], "end_turn", { uuid: "x2" }),
      end(),
    ]);
    expect(only(foreign, "run.ended")).toMatchObject([{ outcome: "completed" }]);
    expect(told(foreign)).not.toContain("text for them");
    expect(eventsOf([row({}), row([])]).map(({ type }) => type)).toEqual(["diagnostic"]);
  });

  test("does not tell how a run ended that another prompt follows, when it does not show it", () => {
    const events = eventsOf([
      ...begun,
      prompt("more", { uuid: "u2", inputId: "in-2" }),
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [call("t1", "Bash")], "tool_use", { uuid: "a1" }),
      userRow([{ type: "tool_result", tool_use_id: "t1", content: "ok" }], { uuid: "x1" }),
      userRow("more", { uuid: "u2" }),
      answerRow("msg_2", [text("Done.")], "end_turn", { uuid: "a2" }),
      end(),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "failed", reason: "harness.not_recorded" },
      { outcome: "completed" },
    ]);
    expect(only(events, "input.ended")).toMatchObject([
      { inputId: "in-1", outcome: "answered" },
      { inputId: "in-2", outcome: "answered" },
    ]);
  });

  test("leaves alone what the log has settled", () => {
    const settled = [
      ...begun,
      assistant("msg_1", [text("Done.")], { uuid: "a1" }),
      result({ user_message_uuids: ["u1"] }),
      fate("u1", "completed"),
      control("c1", { subtype: "mcp_status" }),
    ];
    const rows = [
      userRow("go", { uuid: "u1" }),
      answerRow("msg_1", [text("Done.")], "end_turn", { uuid: "a1" }),
    ];
    expect(eventsOf([...settled, ...rows, end()])).toEqual(eventsOf(settled));
    const next = [...settled, prompt("next", { uuid: "u2", inputId: "in-2" })];
    const events = eventsOf([
      ...next,
      ...rows,
      userRow("next", { uuid: "u2" }),
      answerRow("msg_2", [text("Next.")], "end_turn", { uuid: "a2" }),
      end(),
    ]);
    expect(only(events, "run.ended").map(({ reason }) => reason)).toEqual([
      "harness.success",
      "harness.completed",
    ]);
  });
});
