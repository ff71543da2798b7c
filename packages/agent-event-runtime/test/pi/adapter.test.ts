import { describe, expect, test } from "vitest";
import { piAdapter } from "../../src/index.ts";
import { type PlayStep as Step, frame, play, received, sent } from "../../src/testing/index.ts";
import { rowsOf } from "../projections/rows-of.ts";
import { recording } from "./recordings.ts";
import {
  answer,
  event,
  eventsOf,
  handedOver,
  message,
  ofCase,
  only,
  prompt,
  quiet,
  says,
  settled,
  types,
  user,
} from "./talk.ts";

describe("inputs of pi", () => {
  test("a prompt is sent, joins the run that echoes it, and ends with it", () => {
    const events = eventsOf([
      prompt("hi", "in-1"),
      answer("prompt", "hi"),
      event("agent_start"),
      ...user("hi"),
      ...says("ho"),
      ...settled(),
    ]);
    expect(types(events)).toEqual([
      "input.sent",
      "run.started",
      "message.started",
      "input.joined",
      "part.ended",
      "message.ended",
      "message.started",
      "part.ended",
      "message.ended",
      "input.ended",
      "run.ended",
    ]);
    expect(events[1]).toMatchObject({ runId: "r3", origin: "user" });
    expect(events[2]).toMatchObject({ messageId: "m4", role: "user", inputId: "in-1", runId: "r3" });
    expect(events[9]).toMatchObject({ inputId: "in-1", outcome: "answered" });
  });

  test("a prompt that holds more than the user's words tells those alone, and its echo none", () => {
    const events = eventsOf([
      handedOver("hi", "in-1"),
      event("agent_start"),
      ...user("a transcript\n\nhi"),
      ...settled(),
    ]);
    expect(types(events)).toEqual([
      "input.sent",
      "run.started",
      "message.started",
      "input.joined",
      "message.ended",
      "input.ended",
      "run.ended",
    ]);
    expect(only(events, "message.started")).toMatchObject([{ role: "user", inputId: "in-1" }]);
    expect(rowsOf(events)).toMatchObject([{ inputId: "in-1", parts: [{ type: "text", text: "hi" }] }]);
  });

  test("an input without a note is named by its frame", () => {
    expect(only(eventsOf([prompt("hi")]), "input.sent")).toMatchObject([
      { inputId: "i1", parts: [{ type: "text", text: "hi" }] },
    ]);
  });

  test("images go along as parts", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const events = eventsOf([
      prompt("look", "in-1", { images: [image] }),
      event("agent_start"),
      event("message_start", message("user", [{ type: "text", text: "look" }, image])),
    ]);
    expect(only(events, "input.sent")[0]?.parts).toEqual([
      { type: "text", text: "look" },
      { type: "image", mediaType: "image/png", data: "AAAA" },
    ]);
    expect(only(events, "part.added")).toMatchObject([
      { kind: "image", mediaType: "image/png", data: "AAAA" },
    ]);
  });

  test("answers are paired by id, whatever their order", () => {
    const refused = { success: false, error: "busy" };
    const events = eventsOf([
      prompt("a", "in-a"),
      prompt("b", "in-b"),
      answer("prompt", "b", refused),
      answer("prompt", "a"),
    ]);
    expect(only(events, "input.ended")).toMatchObject([
      { inputId: "in-b", outcome: "refused", error: { message: "busy" } },
    ]);
  });

  test("a following input that outlives an abort joins the run of the next prompt", () => {
    const { events, snapshot } = play(piAdapter, recording("1.6.0-14-abort-with-queue").steps.slice(0, -4));
    expect(snapshot.open).toMatchObject([{ kind: "input", id: "i29" }]);
    const text = only(events, "input.sent").at(-1)?.parts[0];
    const queued = text?.type === "text" ? text.text : "";
    const next = play(
      piAdapter,
      [prompt("go on", "in-9"), event("agent_start"), ...user("go on"), ...user(queued), ...settled()],
      snapshot,
    );
    expect(only(next.events, "input.ended").map(({ inputId, outcome }) => `${inputId} ${outcome}`)).toEqual([
      "i29 answered",
      "in-9 answered",
    ]);
  });

  test("a queue that is cleared cancels the inputs that it names", () => {
    const ended = only(ofCase("1.6.0-14-abort-with-queue"), "input.ended");
    expect(ended.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  test("a prompt that pi rewrote joins the run that it started", () => {
    const events = eventsOf([
      prompt("/review", "in-1"),
      answer("prompt", "/review"),
      event("agent_start"),
      ...user("Review the code."),
      ...says("ok"),
      ...settled(),
    ]);
    expect(only(events, "message.started")[0]).toMatchObject({ inputId: "in-1" });
    expect(only(events, "input.ended")).toMatchObject([{ inputId: "in-1", outcome: "answered" }]);
  });

  test("an input that pi rewrote before queueing it is known by its place in the queue", () => {
    const events = eventsOf([
      event("agent_start"),
      sent({ id: "s", type: "steer", message: "/short" }, "in-1"),
      event("queue_update", { steering: ["Be short."], followUp: [] }),
      answer("steer", "s", { success: true, data: { disposition: "queued" } }),
      ...user("Be short."),
    ]);
    expect(only(events, "input.joined")).toMatchObject([{ inputId: "in-1" }]);
  });

  test("a user message that nobody waits for is synthetic, and no input", () => {
    const events = eventsOf([event("agent_start"), ...user("from an extension")]);
    expect(only(events, "message.started")).toMatchObject([{ role: "user", synthetic: true }]);
    expect(only(events, "run.started")).toMatchObject([{ origin: "harness" }]);
    expect(only(events, "input.joined")).toEqual([]);
  });

  test("an input that could not be written is lost, with and without a name", () => {
    const unsent = (step: Step): Step =>
      step.do === "frame" && step.frame.kind === undefined
        ? frame({ kind: "unsent", frame: step.frame, reason: "EPIPE", at: 0 })
        : step;
    for (const name of ["in-1", undefined]) {
      const { events, snapshot } = play(piAdapter, [prompt("hi", name), unsent(prompt("hi", name))]);
      expect(only(events, "input.ended")).toMatchObject([{ inputId: name ?? "i1", outcome: "lost" }]);
      expect(snapshot.state).toMatchObject({ inputs: [] });
    }
  });

  test("slash commands are handled without a run, in both versions", () => {
    for (const name of ["1.6.0-44-extension-ui", "0.73.1-44-extension-ui"]) {
      expect(only(ofCase(name), "input.ended").slice(0, 2)).toMatchObject([
        { outcome: "handled" },
        { outcome: "handled" },
      ]);
    }
    expect(
      only(eventsOf([prompt("/x", "in-1"), answer("prompt", "/x"), quiet]), "input.ended"),
    ).toMatchObject([{ outcome: "handled" }]);
  });
});

describe("runs of pi", () => {
  test("retries stay one run, and each is told", () => {
    const events = ofCase("1.6.0-33-error-500-exhausted");
    expect(only(events, "run.started")).toHaveLength(1);
    expect(only(events, "retry.scheduled")).toMatchObject([
      { attempt: 1, max: 3, delayMs: 2000, error: { status: 500 } },
      { attempt: 2, max: 3, delayMs: 4000 },
      { attempt: 3, max: 3, delayMs: 8000 },
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      {
        outcome: "failed",
        reason: "harness.error",
        stopReason: "error",
        error: { status: 500, message: expect.stringContaining("Internal server error") },
      },
    ]);
  });

  test("usage and cost are the sum of the run's own messages", () => {
    const cost = (total: number): object => ({
      usage: { input: 10, output: 2, totalTokens: 12, cost: { total } },
    });
    const once = [
      event("agent_start"),
      ...says("a", "toolUse", cost(0.5)),
      ...says("b", "stop", cost(0.25)),
      ...settled(),
    ];
    const ended = only(eventsOf([...once, ...once]), "run.ended");
    const sum = { usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 }, costUsd: 0.75 };
    expect(ended).toMatchObject([sum, sum]);
  });

  test("zeros of a call that failed are no usage", () => {
    const events = ofCase("1.6.0-20-error-401");
    expect(only(events, "message.ended").at(-1)).not.toHaveProperty("usage");
    expect(only(events, "run.ended")[0]).toMatchObject({ outcome: "failed", error: { status: 401 } });
    expect(only(events, "run.ended")[0]).not.toHaveProperty("usage");
  });

  test("a retry that the user calls off is a cancelled run, although pi does not say aborted", () => {
    const [first] = only(ofCase("1.6.0-34-abort-retry"), "run.ended");
    expect(first).toMatchObject({ outcome: "cancelled", reason: "harness.aborted", stopReason: "error" });
  });

  test("pi 0.73 pronounces its verdict by silence after agent_end, not while it retries or compacts", () => {
    const start = [
      event("agent_start"),
      ...says("a", "error", { errorMessage: "500 no" }),
      event("agent_end"),
    ];
    const retry = event("auto_retry_start", { attempt: 1, maxAttempts: 3, delayMs: 2000 });
    expect(only(eventsOf([...start, quiet]), "run.ended")).toMatchObject([{ outcome: "failed" }]);
    expect(only(eventsOf([...start, retry, quiet]), "run.ended")).toEqual([]);
    expect(
      only(eventsOf([...start, event("compaction_start", { reason: "overflow" }), quiet]), "run.ended"),
    ).toEqual([]);
    expect(
      only(
        eventsOf([...start, retry, event("agent_start"), ...says("b"), event("agent_end"), quiet]),
        "run.ended",
      ),
    ).toMatchObject([{ outcome: "completed", runId: "r1" }]);
  });

  test("what decides as well as silence: the next run, an idle state, the answer to an abort, the end", () => {
    const start = [event("agent_start"), ...says("a"), event("agent_end")];
    const deciders = [
      event("agent_start"),
      received({ type: "response", command: "get_state", success: true, data: { isStreaming: false } }),
      received({ type: "response", command: "abort", success: true }),
      { do: "finish", reason: "ended", at: 0 } as const,
    ];
    for (const decider of deciders) {
      expect(only(eventsOf([...start, decider]), "run.ended")).toMatchObject([
        { outcome: "completed", reason: "harness.stop" },
      ]);
    }
  });

  test("silence decides nothing for a pi that will say that it has settled", () => {
    expect(
      only(
        eventsOf([event("agent_start"), ...says("a"), event("agent_end", { willRetry: false }), quiet]),
        "run.ended",
      ),
    ).toEqual([]);
  });

  test("a compaction that is given up without a start has both ends", () => {
    const events = only(ofCase("0.73.1-32-context-overflow"), "compaction.ended");
    expect(events).toMatchObject([
      { outcome: "completed" },
      { outcome: "failed", error: { message: expect.any(String) } },
    ]);
  });

  test("ids of the next connection do not repeat those of the last", () => {
    const turn = [prompt("hi"), event("agent_start"), ...user("hi"), ...says("ho"), ...settled()];
    const events = eventsOf([...turn, { do: "begin", at: 0 }, ...turn]);
    expect(only(events, "run.started").map(({ runId }) => runId)).toEqual(["r2", "c2.r10"]);
  });
});

describe("messages of pi", () => {
  test("deltas grow a part, whose end says the whole text", () => {
    const events = ofCase("1.6.0-03-thinking");
    const deltas = only(events, "message.delta");
    const parts = only(events, "part.ended").slice(1);
    expect(parts.map(({ kind }) => kind)).toEqual(["reasoning", "text"]);
    for (const part of parts) {
      const grown = deltas.filter(({ partId }) => partId === part.partId).map(({ text }) => text);
      expect(grown.join("")).toBe(part.text);
    }
  });

  test("the older, cumulative updates give the same events", () => {
    const shape = (name: string): readonly string[] =>
      ofCase(name)
        .filter(({ type }) => type !== "tool.input.delta" && type !== "message.delta")
        .map((one) => (one.type === "tool.ended" ? `${one.type} ${one.output}` : one.type));
    expect(shape("0.73.1-06-parallel-tools").toSorted()).toEqual(shape("1.6.0-06-parallel-tools").toSorted());
  });

  test("a message that fails before its first token is a message that failed", () => {
    expect(only(ofCase("1.6.0-20-error-401"), "message.ended").at(-1)).toMatchObject({
      outcome: "failed",
      error: { status: 401 },
    });
  });

  test("a message without an end is over when the next begins", () => {
    const start = event("message_start", message("assistant", []));
    expect(only(eventsOf([start, start]), "message.ended")).toMatchObject([
      { messageId: "m1", outcome: "abandoned" },
    ]);
  });

  test("a part that is over does not grow", () => {
    const update = (more: object): Step =>
      event("message_update", { assistantMessageEvent: { contentIndex: 0, ...more } });
    const events = eventsOf([
      update({ type: "text_end", content: "a" }),
      update({ type: "text_delta", delta: "b" }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: "diagnostic", code: "pi.stray-frame" });
  });
});

describe("tools of pi", () => {
  test("calls of one message end in their own order, with output, exit code and duration", () => {
    const events = ofCase("1.6.0-06-parallel-tools");
    expect(only(events, "tool.started").map(({ kind, callId }) => `${kind} ${callId}`)).toEqual([
      "execute m9/call_13_0",
      "execute m9/call_13_1",
      "read m9/call_13_2",
    ]);
    expect(only(events, "tool.ended")).toMatchObject([
      { callId: "m9/call_13_1", outcome: "ok", output: "two\n", exitCode: 0, durationMs: 94 },
      { callId: "m9/call_13_2", outcome: "ok", output: "# demo\nhello\n" },
      { callId: "m9/call_13_0", outcome: "ok", output: "one\n", exitCode: 0 },
    ]);
  });

  test("output so far replaces what was told, and is told only when it changed", () => {
    const outputs = only(ofCase("1.6.0-08-steer"), "tool.updated").flatMap(({ output }) =>
      output === undefined ? [] : [output],
    );
    expect(outputs).toHaveLength(6);
    expect(new Set(outputs).size).toBe(6);
    expect(outputs.at(-1)).toContain("tick 6");
  });

  test("output that is empty or unchanged is told no further", () => {
    const update = (...content: readonly object[]): Step =>
      event("tool_execution_update", { toolCallId: "x", toolName: "bash", partialResult: { content } });
    const part = { type: "text", text: "a\n" };
    expect(types(eventsOf([update(), update(part), update(part), update()]))).toEqual([
      "tool.started",
      "tool.updated",
    ]);
  });

  test("a vendor id that comes twice is two calls", () => {
    const call = { type: "toolCall", id: "same", name: "bash", arguments: { command: "true" } };
    const once = [
      event("message_start", message("assistant", [])),
      event("message_end", message("assistant", [call], { stopReason: "toolUse" })),
      event("tool_execution_end", {
        toolCallId: "same",
        toolName: "bash",
        result: { content: [] },
        isError: false,
      }),
    ];
    const events = eventsOf([event("agent_start"), ...once, ...once]);
    expect(only(events, "tool.started").map(({ callId }) => callId)).toEqual(["m2/same", "m5/same"]);
    expect(only(events, "tool.ended").map(({ callId }) => callId)).toEqual(["m2/same", "m5/same"]);
  });

  test("an execution may be the first word of a call", () => {
    const events = eventsOf([
      event("tool_execution_start", { toolCallId: "x", toolName: "read", args: { path: "a.md", offset: 3 } }),
    ]);
    expect(events).toMatchObject([
      {
        type: "tool.started",
        callId: "t1/x",
        kind: "read",
        title: "a.md",
        locations: [{ path: "a.md", line: 3 }],
      },
    ]);
  });

  test("an aborted command is cancelled, a failed one keeps its exit code", () => {
    expect(only(ofCase("0.73.1-13-abort-tool"), "tool.ended")).toMatchObject([{ outcome: "cancelled" }]);
    expect(only(ofCase("0.73.1-44-extension-ui"), "tool.ended")[0]).toMatchObject({
      outcome: "failed",
      exitCode: 3,
    });
    expect(only(ofCase("1.6.0-44-extension-ui"), "tool.ended")[0]).toMatchObject({
      outcome: "failed",
      exitCode: 3,
    });
  });

  test("a written or edited file is a change, with the diff that pi gives", () => {
    expect(only(ofCase("1.6.0-embedded"), "file.changed")).toMatchObject([
      { path: "a.txt", change: "modified", callId: expect.stringContaining("tool:") },
      { path: "a.txt", change: "modified", diff: expect.stringContaining("--- a.txt") },
    ]);
  });

  test("a tool result ends a call that had no other end", () => {
    const call = { type: "toolCall", id: "x", name: "bash", arguments: { command: "true" } };
    const events = eventsOf([
      event("message_end", message("assistant", [call])),
      event(
        "message_end",
        message("toolResult", [{ type: "text", text: "done" }], { toolCallId: "x", isError: false }),
      ),
    ]);
    expect(only(events, "tool.ended")).toMatchObject([{ outcome: "ok", output: "done" }]);
  });

  test("the user's own shell is a tool call of no run", () => {
    const events = ofCase("1.6.0-43-bash-command");
    const shells = only(events, "tool.started").filter(({ callId }) => callId.startsWith("b"));
    expect(shells).toMatchObject([{ title: "echo user-shell; exit 2" }, {}, { title: "seq 1 60000" }]);
    expect(shells.every(({ runId }) => runId === undefined)).toBe(true);
    expect(only(events, "tool.ended").map(({ outcome, exitCode }) => [outcome, exitCode])).toEqual([
      ["failed", 2],
      ["cancelled", undefined],
      ["ok", 0],
    ]);
  });
});
