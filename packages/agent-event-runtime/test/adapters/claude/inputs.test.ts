import { describe, expect, test } from "vitest";
import { type PlayStep, frame } from "../../../src/testing/index.ts";
import { rowsOf } from "../../projections/rows-of.ts";
import {
  assistant,
  call,
  control,
  eventsOf,
  fate,
  init,
  ofCase,
  only,
  played,
  prompt,
  result,
  rowsOfCase,
  says,
  send,
  system,
  text,
  toolResult,
  typesOf,
} from "./said.ts";

/** `<inputId> <outcome>` of each input, in order of ending. */
function ends(steps: readonly PlayStep[]): readonly string[] {
  return only(eventsOf(steps), "input.ended").map(({ inputId, outcome }) => `${inputId} ${outcome}`);
}

/** `<inputId> <runId>` of each joining. */
function joins(steps: readonly PlayStep[]): readonly string[] {
  return only(eventsOf(steps), "input.joined").map(({ inputId, runId }) => `${inputId} ${runId}`);
}

function echoOf(said: unknown, more: object = {}): PlayStep {
  return says({ type: "user", message: { role: "user", content: said }, parent_tool_use_id: null, ...more });
}

describe("inputs of claude that have a uuid", () => {
  const named = { uuid: "u1", inputId: "in-1" };

  test("are sent, join the run that takes them up, and end with it", () => {
    const events = eventsOf([
      prompt("hi", named),
      fate("u1", "queued"),
      fate("u1", "started"),
      init({ user_message_uuids: ["u1"] }),
      assistant("msg_1", [text("ho")]),
      result({ user_message_uuids: ["u1"] }),
      fate("u1", "completed"),
    ]);
    expect(typesOf(events)).toEqual([
      "input.sent",
      "run.started",
      "input.joined",
      "message.started",
      "part.ended",
      "message.ended",
      "input.ended",
      "run.ended",
    ]);
    expect(only(events, "run.started")).toMatchObject([{ runId: "r3", origin: "user" }]);
    expect(only(events, "input.ended")).toMatchObject([
      { inputId: "in-1", outcome: "answered", runId: "r3" },
    ]);
  });

  test("sent while a run is open are steers", () => {
    const events = eventsOf([
      prompt("a", named),
      fate("u1", "started"),
      prompt("b", { uuid: "u2", inputId: "in-2" }),
    ]);
    expect(only(events, "input.sent")).toMatchObject([{ inputId: "in-1" }, { inputId: "in-2", steer: true }]);
    expect(only(events, "input.sent")[0]).not.toHaveProperty("steer");
  });

  test("folded into a run are answered when the CLI says so, before the run ends", () => {
    const steps = [
      prompt("a", named),
      fate("u1", "queued"),
      fate("u1", "started"),
      init({ user_message_uuids: ["u1"] }),
      assistant("msg_1", [call("t1", "Bash", { command: "x" })]),
      prompt("b", { uuid: "u2", inputId: "in-2" }),
      fate("u2", "queued"),
      toolResult("t1", "done"),
      fate("u2", "started"),
      assistant("msg_2", [text("both")], { user_message_uuids: ["u1", "u2"] }),
      fate("u2", "completed"),
      result({ user_message_uuids: ["u1", "u2"] }),
      fate("u1", "completed"),
    ];
    expect(joins(steps)).toEqual(["in-1 r3", "in-2 r3"]);
    expect(ends(steps)).toEqual(["in-2 answered", "in-1 answered"]);
  });

  test("folded without a word before they are completed have joined the open run", () => {
    const steps = [
      prompt("a", named),
      fate("u1", "started"),
      prompt("b", { uuid: "u2", inputId: "in-2" }),
      fate("u2", "queued"),
      fate("u2", "completed"),
    ];
    expect(joins(steps)).toEqual(["in-1 r2", "in-2 r2"]);
    expect(ends(steps)).toEqual(["in-2 answered"]);
  });

  test("that wait together become one run", () => {
    const joined = only(ofCase("history-coalesced"), "input.joined");
    expect(joined.map(({ runId }) => runId)).toEqual(["r3", joined[1]?.runId, joined[1]?.runId]);
    expect(joined[1]?.runId).not.toBe("r3");
    const burst = only(ofCase("g-burst"), "input.joined");
    expect(burst.map(({ runId }) => runId)).toEqual(["r5", "r12", "r12"]);
  });

  test("that the session knows are known, and open no run", () => {
    const events = ofCase("g-duplicate-uuid");
    expect(only(events, "input.ended").map(({ outcome }) => outcome)).toEqual(["answered", "known"]);
    expect(only(events, "run.started")).toHaveLength(1);
  });

  test("that were called off in the queue are cancelled, told once", () => {
    const steps = [
      prompt("a", named),
      fate("u1", "queued"),
      control("c1", { subtype: "interrupt", cancel_queued: true }),
      fate("u1", "cancelled"),
      says({
        type: "control_response",
        response: { subtype: "success", request_id: "c1", response: { still_queued: [], cancelled: ["u1"] } },
      }),
    ];
    expect(ends(steps)).toEqual(["in-1 cancelled"]);
    expect(ends([...steps.slice(0, 3), ...steps.slice(4)])).toEqual(["in-1 cancelled"]);
  });

  test("in the queue when a run is interrupted go on to a run of their own", () => {
    const events = ofCase("f-interrupt-queued");
    expect(only(events, "input.ended").map(({ outcome }) => outcome)).toEqual(["cancelled", "answered"]);
    expect(new Set(only(events, "input.joined").map(({ runId }) => runId)).size).toBe(2);
  });

  test("join the run of the first frame that names them", () => {
    const frames = [
      assistant("msg_1", [text("hi")], { user_message_uuids: ["u1"] }),
      init({ user_message_uuids: ["u1"] }),
      result({ user_message_uuids: ["u1"] }),
    ];
    for (const first of frames)
      expect(joins([prompt("a", named), fate("u1", "queued"), first])).toEqual(["in-1 r3"]);
  });

  test("are not taken for the cause of a run that names none", () => {
    const steps = [prompt("a", named), fate("u1", "queued"), init()];
    expect(joins(steps)).toEqual([]);
    expect(only(eventsOf(steps), "run.started")).toMatchObject([
      { origin: "harness", cause: "task-notification" },
    ]);
  });

  test("which nobody sent are no input of ours", () => {
    const events = eventsOf([
      fate("u9", "queued"),
      fate("u9", "started"),
      init({ user_message_uuids: ["u9"] }),
      result(),
      fate("u9", "completed"),
    ]);
    expect(only(events, "run.started")).toMatchObject([{ origin: "user" }]);
    expect(only(events, "input.joined")).toEqual([]);
  });
});

describe("inputs of claude without a uuid", () => {
  test("are named by their frame, and join the next run", () => {
    const steps = [prompt("hi"), init(), assistant("msg_1", [text("ho")]), result()];
    expect(joins(steps)).toEqual(["i1 r2"]);
    expect(ends(steps)).toEqual(["i1 answered"]);
  });

  test("written before the CLI is up join one and then the rest; later ones join together", () => {
    const burst = [prompt("a"), prompt("b"), prompt("c"), init(), result(), init(), result()];
    expect(joins(burst)).toEqual(["i1 r4", "i2 r6", "i3 r6"]);
    const later = [prompt("a"), init(), prompt("b"), prompt("c"), result(), init(), result()];
    expect(joins(later)).toEqual(["i1 r2", "i3 r6", "i4 r6"]);
  });

  test("sent before a tool round ends are in the model call after it", () => {
    const steps = [
      prompt("a"),
      init(),
      assistant("msg_1", [call("t1", "Bash")]),
      prompt("b"),
      toolResult("t1", "done"),
      prompt("c"),
      assistant("msg_2", [text("both")]),
      result(),
    ];
    expect(joins(steps)).toEqual(["i1 r2", "i4 r2"]);
    expect(only(ofCase("g-midturn-tool-nouuid"), "input.joined").map(({ runId }) => runId)).toEqual([
      "r2",
      "r2",
    ]);
  });

  test("that no run took up are unobserved once the CLI is silent", () => {
    const quiet = frame({ kind: "quiet", forMs: 500, at: 0 });
    const steps = [prompt("a"), init(), prompt("b"), result()];
    expect(ends([...steps, quiet])).toEqual(["i1 answered", "i3 unobserved"]);
    expect(ends([prompt("a"), quiet])).toEqual([]);
    expect(ends([...steps, init(), quiet, result()])).toEqual(["i1 answered", "i3 answered"]);
  });

  test("of a CLI that tells no fates are treated the same with a uuid", () => {
    const steps = [prompt("a", { uuid: "u1", inputId: "in-1" }), init(), result()];
    expect(joins(steps)).toEqual(["in-1 r2"]);
  });

  test("wait for their own run while background work that has ended gets its", () => {
    const done = { task_id: "bg", status: "completed", summary: "done", output_file: "/o" };
    const steps = [
      prompt("a"),
      init(),
      system("task_started", { task_id: "bg", task_type: "local_bash", is_backgrounded: true }),
      assistant("msg_1", [text("started")]),
      result(),
      system("task_notification", done),
      prompt("b"),
      init(),
      result({ origin: { kind: "task-notification" } }),
      init(),
      result(),
    ];
    expect(only(eventsOf(steps), "run.started").map(({ origin }) => origin)).toEqual([
      "user",
      "harness",
      "user",
    ]);
    expect(joins(steps)).toEqual(["i1 r2", "i7 r10"]);
  });

  test("join a run that was taken for background work, when its result says that it was none", () => {
    const steps = [
      init(),
      result(),
      system("task_notification", { task_id: "bg", status: "completed", summary: "done" }),
      prompt("b"),
      init(),
      result(),
    ];
    expect(joins(steps)).toEqual(["i4 r5"]);
    expect(ends(steps)).toEqual(["i4 answered"]);
  });
});

describe("what is sent to claude", () => {
  test("is kept block by block, images included", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const events = eventsOf([prompt([image, text("what is it?"), { type: "document" }])]);
    expect(only(events, "input.sent")[0]?.parts).toEqual([
      { type: "image", mediaType: "image/png", data: "AAAA" },
      { type: "text", text: "what is it?" },
    ]);
    expect(only(ofCase("o-image"), "input.sent")[0]?.parts.map(({ type }) => type)).toEqual([
      "image",
      "text",
    ]);
  });

  test("is no input when the CLI cannot take it", () => {
    const bad = [
      send({ type: "user", message: { role: "user", content: 42 } }),
      send({ type: "user", message: { role: "assistant", content: "x" } }),
      send({ type: "user" }),
      send([1, 2, 3]),
      send(null),
      send('{"type":"user","message":'),
      send({ type: "control_request" }),
      send({ type: "wat" }),
    ];
    for (const step of bad) {
      expect(eventsOf([step])).toMatchObject([{ type: "diagnostic", code: "claude.stray-frame" }]);
    }
  });

  test("is lost when it could not be written, with and without a name", () => {
    const unsent = (step: PlayStep): PlayStep =>
      step.do === "frame" && step.frame.kind === undefined
        ? frame({ kind: "unsent", frame: step.frame, reason: "EPIPE", at: 0 })
        : step;
    for (const name of [{ inputId: "in-1", uuid: "u1" }, {}]) {
      const sent = prompt("hi", name);
      const { events, snapshot } = played([sent, unsent(sent)]);
      expect(only(events, "input.ended")).toMatchObject([
        { inputId: "inputId" in name ? "in-1" : "i1", outcome: "lost" },
      ]);
      expect(snapshot.state).toMatchObject({ inputs: [] });
    }
    const asked = control("c1", { subtype: "mcp_status" });
    expect(played([asked, unsent(asked)]).snapshot.state).toMatchObject({ controls: [] });
  });

  test("that needs no model is handled: commands, blank prompts, context without a question", () => {
    const outcomes = (name: string): readonly string[] =>
      only(ofCase(name), "input.ended").map(({ outcome }) => outcome);
    expect(outcomes("n-slash-text")).toEqual([
      "answered",
      "handled",
      "handled",
      "answered",
      "handled",
      "answered",
    ]);
    expect(outcomes("g-should-query-false")).toEqual(["handled", "answered"]);
    expect(outcomes("r-compact")).toEqual(["answered", "answered", "handled", "answered"]);
  });
});

describe("echoes of what was sent", () => {
  test("fill the row of their input, by uuid or by text", () => {
    const sent = [prompt("hi", { inputId: "in-1", uuid: "u1" }), fate("u1", "started")];
    const byUuid = eventsOf([...sent, echoOf("hi", { uuid: "u1", isReplay: true })]);
    expect(only(byUuid, "message.started")).toMatchObject([
      { messageId: "m3", role: "user", inputId: "in-1", runId: "r2" },
    ]);
    const byText = eventsOf([
      prompt("a"),
      prompt("b"),
      init(),
      echoOf("b", { isReplay: true, uuid: "other" }),
    ]);
    expect(only(byText, "message.started")).toMatchObject([{ inputId: "i2" }]);
    expect(only(byText, "input.joined").map(({ inputId }) => inputId)).toEqual(["i1", "i2"]);
  });

  test("make no second row, whatever is in them", () => {
    for (const name of ["n-blocks", "g-midturn-tool"]) {
      const inputs = rowsOfCase(name).filter((row) => row.type === "input");
      expect(inputs).toHaveLength(only(ofCase(name), "input.sent").length);
    }
  });

  test.each([
    ["by uuid", { uuid: "u1" }],
    ["by text", {}],
  ])("tell no words where the message holds more than the user's, known %s", (_, more) => {
    const parts = [{ type: "text", text: "hi" }] as const;
    const whole = [text("a transcript"), text("hi")];
    const events = eventsOf([
      prompt(whole, { ...more, inputId: "in-1", parts }),
      init(),
      echoOf(whole, { ...more, isReplay: true }),
    ]);
    expect(only(events, "message.started")).toMatchObject([{ role: "user", inputId: "in-1" }]);
    expect(only(events, "message.ended")).toHaveLength(1);
    expect(only(events, "part.ended")).toEqual([]);
    expect(rowsOf(events)).toMatchObject([{ type: "input", inputId: "in-1", parts }]);
  });

  test("of nothing that we sent are the user's own all the same", () => {
    const events = eventsOf([init(), echoOf("from elsewhere", { isReplay: true, uuid: "u9" })]);
    expect(only(events, "message.started")[0]).toMatchObject({ role: "user" });
    expect(only(events, "message.started")[0]).not.toHaveProperty("synthetic");
  });

  test("words that the CLI puts in are synthetic", () => {
    const [row] = rowsOfCase("j-refusal").filter((one) => one.type === "input" && one.synthetic === true);
    expect(row).toMatchObject({ status: "known" });
    const events = eventsOf([prompt("same"), init(), echoOf("same", { isSynthetic: true })]);
    expect(only(events, "message.started")).toMatchObject([{ role: "user", synthetic: true }]);
  });

  test("what a command printed is a notice", () => {
    expect(only(ofCase("sdk-demo"), "notice.added")).toMatchObject([
      { level: "info", text: "Set model to `claude-haiku-4-5`" },
    ]);
    const failed = eventsOf([echoOf("<local-command-stderr>no</local-command-stderr>", { isReplay: true })]);
    expect(only(failed, "notice.added")).toMatchObject([{ level: "warning", text: "no" }]);
    expect(
      eventsOf([init(), echoOf("<local-command-stdout> </local-command-stdout>", { isReplay: true })]).at(-1)
        ?.type,
    ).toBe("run.started");
  });

  test("an image in an echo is a part of it", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const rows = rowsOf(eventsOf([prompt([image]), init(), echoOf([image], { isReplay: true })]));
    expect(rows.filter((row) => row.type === "input")).toMatchObject([
      { inputId: "i1", parts: [{ type: "image" }] },
    ]);
  });
});
