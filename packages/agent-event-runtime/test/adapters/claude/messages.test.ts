import { describe, expect, test } from "vitest";
import { rowsOf } from "../../projections/rows-of.ts";
import {
  assistant,
  blockStart,
  blockStop,
  call,
  delta,
  eventsOf,
  init,
  inputDelta,
  messageStart,
  ofCase,
  only,
  played,
  result,
  says,
  stream,
  system,
  text,
  textDelta,
  toolResult,
} from "./said.ts";

const stop = stream({ type: "message_stop" });

describe("messages of claude", () => {
  test("are one, however many frames bring their blocks", () => {
    const events = ofCase("c-parallel");
    expect(only(events, "message.started").map(({ messageId }) => messageId)).toEqual([
      "msg_mock_000001",
      "msg_mock_000002",
    ]);
    expect(only(events, "tool.started").map(({ messageId }) => messageId)).toEqual(
      Array.from({ length: 3 }, () => "msg_mock_000001"),
    );
  });

  test("that stream have deltas, and each text whole at its end", () => {
    const events = ofCase("b-thinking-partial");
    const parts = only(events, "part.ended");
    expect(parts.map(({ kind, partId }) => `${kind} ${partId}`)).toEqual([
      "reasoning msg_mock_000001/0",
      "text msg_mock_000001/1",
    ]);
    for (const { partId, text: whole } of parts) {
      const deltas = only(events, "message.delta").filter((event) => event.partId === partId);
      expect(deltas.map((event) => event.text).join("")).toBe(whole);
      expect(deltas.length).toBeGreaterThan(1);
    }
    expect(only(events, "usage.updated").at(-1)).toMatchObject({ usage: { outputTokens: 5 } });
  });

  test("that stream end when they stop, the others at the next one or with the run", () => {
    const streamed = [init(), messageStart("a"), textDelta(0, "x"), assistant("a", [text("x")]), stop];
    expect(only(eventsOf(streamed), "message.ended")).toMatchObject([
      { messageId: "a", outcome: "completed", model: "m-1" },
    ]);
    const whole = [init(), assistant("a", [text("x")])];
    expect(only(eventsOf(whole), "message.ended")).toEqual([]);
    expect(only(eventsOf([...whole, assistant("b", [text("y")])]), "message.ended")).toMatchObject([
      { messageId: "a", outcome: "completed" },
    ]);
    expect(only(eventsOf([...whole, result()]), "message.ended")).toMatchObject([
      { messageId: "a", outcome: "completed" },
    ]);
  });

  test("keep their blocks apart by index, in whatever order the wholes come", () => {
    const events = eventsOf([
      init(),
      messageStart("a"),
      blockStart(0, text("")),
      blockStart(1, { type: "thinking", thinking: "" }),
      textDelta(0, "o"),
      delta(1, { type: "thinking_delta", thinking: "h" }),
      textDelta(0, "ne"),
      assistant("a", [{ type: "thinking", thinking: "hm" }]),
      assistant("a", [text("one")]),
    ]);
    expect(only(events, "part.ended")).toMatchObject([
      { partId: "a/1", kind: "reasoning", text: "hm" },
      { partId: "a/0", kind: "text", text: "one" },
    ]);
  });

  test("repeat nothing that was told: the whole message after its parts, or a frame twice", () => {
    const once = [init(), messageStart("a"), textDelta(0, "x"), assistant("a", [text("x")]), stop];
    expect(eventsOf([...once, assistant("a", [text("x")])])).toEqual(eventsOf(once));
    const frame = assistant("b", [text("same")], { uuid: "u1" });
    expect(eventsOf([init(), frame, frame])).toEqual(eventsOf([init(), frame]));
    const grown = eventsOf([
      init(),
      assistant("c", [text("one")]),
      assistant("c", [text("one"), call("t1", "Bash"), text("two")]),
    ]);
    expect(only(grown, "part.ended").map((event) => event.text)).toEqual(["one", "two"]);
  });

  test("may say the same twice", () => {
    const events = eventsOf([
      init(),
      assistant("a", [text("ok")], { uuid: "u1" }),
      assistant("a", [text("ok")], { uuid: "u2" }),
    ]);
    expect(only(events, "part.ended").map(({ partId }) => partId)).toEqual(["a/0", "a/1"]);
  });

  test("go on under an id of their own when they are over and say more", () => {
    const events = eventsOf([
      init(),
      messageStart("a"),
      assistant("a", [text("x")]),
      stop,
      assistant("a", [text("more")]),
      result(),
    ]);
    expect(only(events, "message.started").map(({ messageId }) => messageId)).toEqual(["a", "m5"]);
    expect(only(events, "part.ended").map(({ partId }) => partId)).toEqual(["a/0", "m5/0"]);
  });

  test("of two that alternate open no id twice", () => {
    const events = eventsOf([
      init(),
      assistant("a", [text("1")]),
      assistant("b", [text("2")]),
      assistant("a", [text("3")]),
      result(),
    ]);
    expect(only(events, "message.started").map(({ messageId }) => messageId)).toEqual(["a", "b", "a.4"]);
    expect(only(events, "diagnostic")).toEqual([]);
  });

  test("without an id are named by their frame", () => {
    const events = eventsOf([init(), says({ type: "assistant", message: { content: [text("x")] } })]);
    expect(only(events, "message.started")).toMatchObject([{ messageId: "m2" }]);
  });

  test("that were cut short are cancelled, with what there is of them", () => {
    for (const name of [
      "f-interrupt-text",
      "f-interrupt-cancel-queued",
      "g-priority-now",
      "q-sigint-midturn",
    ]) {
      const events = ofCase(name);
      expect(only(events, "message.ended")[0]).toMatchObject({ outcome: "cancelled" });
      expect(only(events, "part.ended")[0]?.text).toMatch(/^This reply streams slowly/);
    }
  });

  test("whose stream broke off are given up, and what they had not finished", () => {
    const events = ofCase("j-dropped-stream");
    expect(only(events, "message.ended").map(({ outcome }) => outcome)).toEqual([
      "abandoned",
      "completed",
      "completed",
    ]);
    const broken = eventsOf([
      init(),
      messageStart("a"),
      textDelta(0, "x"),
      assistant("a", [text("x")]),
      blockStart(1, call("t1", "Bash")),
      stream({ type: "message_stop" }, { abandoned_blocks: { from_block_index: 1 } }),
    ]);
    expect(only(broken, "tool.ended")).toMatchObject([{ callId: "t1", outcome: "abandoned" }]);
  });

  test("that a run leaves streaming end as it does", () => {
    const outcome = (more: object): unknown =>
      only(eventsOf([init(), messageStart("a"), textDelta(0, "x"), result(more)]), "message.ended")[0]
        ?.outcome;
    expect(outcome({})).toBe("completed");
    expect(outcome({ terminal_reason: "aborted_streaming" })).toBe("cancelled");
    expect(outcome({ is_error: true })).toBe("abandoned");
  });

  test("of the CLI's own are synthetic, and name no model", () => {
    const [started] = only(ofCase("n-slash-text"), "message.started").filter((event) => event.synthetic);
    const ended = only(ofCase("n-slash-text"), "message.ended").find(
      ({ messageId }) => messageId === started?.messageId,
    );
    expect(ended).toMatchObject({ outcome: "completed" });
    expect(ended).not.toHaveProperty("model");
    expect(only(ofCase("j-401"), "message.ended")[0]).toMatchObject({
      outcome: "failed",
      error: { status: 401, code: "authentication_failed" },
    });
  });

  test("show redacted thinking as nothing, and count it", () => {
    const events = eventsOf([
      init(),
      messageStart("a"),
      blockStart(0, { type: "redacted_thinking", data: "x" }),
      assistant("a", [{ type: "redacted_thinking", data: "x" }]),
      blockStop(0),
      blockStart(1, text("")),
      textDelta(1, "Done."),
      assistant("a", [text("Done.")]),
    ]);
    expect(only(events, "part.ended")).toMatchObject([{ partId: "a/1", text: "Done." }]);
    expect(only(events, "diagnostic")).toEqual([]);
  });

  test("tell of a block that this adapter does not know", () => {
    const events = eventsOf([init(), assistant("a", [{ type: "hologram" }, text("x")])]);
    expect(only(events, "diagnostic")).toMatchObject([
      { code: "claude.stray-frame", message: expect.stringContaining("hologram") },
    ]);
    expect(only(events, "part.ended")).toMatchObject([{ partId: "a/1" }]);
  });

  test("may show an image, and call tools of the model's provider", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const events = eventsOf([
      init(),
      assistant("a", [
        image,
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
      ]),
      assistant("a", [{ type: "web_search_tool_result", tool_use_id: "s1", content: [text("found")] }]),
    ]);
    expect(only(events, "part.added")).toMatchObject([
      { partId: "a/0", kind: "image", mediaType: "image/png" },
    ]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "s1", outcome: "ok", output: "found" }]);
  });

  test("of a run that had to answer by a schema end with the answer", () => {
    const events = ofCase("t-schema");
    expect(only(events, "tool.ended").map(({ outcome }) => outcome)).toEqual(["failed", "ok"]);
    expect(only(events, "part.ended").map((event) => event.text)).toEqual(["Here.", '{"name":"Ada"}']);
    expect(events.slice(-5).map(({ type }) => type)).toEqual([
      "message.started",
      "part.ended",
      "message.ended",
      "input.ended",
      "run.ended",
    ]);
  });

  test("begun in the middle open with what comes, under the id that the frame has", () => {
    const events = eventsOf([
      init(),
      textDelta(2, "hi", { api_message_id: "a" }),
      assistant("a", [text("hi")]),
    ]);
    expect(only(events, "message.started")).toMatchObject([{ messageId: "a" }]);
    expect(only(events, "part.ended")).toMatchObject([{ partId: "a/2", text: "hi" }]);
  });

  test("take nothing more into a block that is over, or into an earlier message", () => {
    const over = [init(), messageStart("a"), textDelta(0, "x"), assistant("a", [text("x")])];
    const codes = (...more: Parameters<typeof eventsOf>[0]): readonly string[] =>
      only(eventsOf([...over, ...more]), "diagnostic").map(({ code }) => code);
    expect(codes(textDelta(0, "y"))).toEqual(["claude.stray-frame"]);
    expect(codes(stop, textDelta(0, "y"))).toEqual(["claude.stray-frame"]);
    expect(codes(stop, messageStart("b"), textDelta(0, "y", { api_message_id: "a" }))).toEqual([
      "claude.stray-frame",
    ]);
    expect(codes(messageStart("a"))).toEqual(["claude.stray-frame"]);
    expect(codes(inputDelta(5, "{}"))).toEqual(["claude.stray-frame"]);
  });

  test("know the silent and the unknown of a stream", () => {
    const quiet = [
      delta(0, { type: "signature_delta", signature: "x" }),
      stream({ type: "ping" }),
      blockStop(0),
    ];
    for (const step of quiet)
      expect(eventsOf([init(), messageStart("a"), step])).toEqual(eventsOf([init(), messageStart("a")]));
    for (const step of [delta(0, { type: "smell_delta" }), stream({ type: "smell" })]) {
      expect(only(eventsOf([init(), messageStart("a"), step]), "diagnostic")).toMatchObject([
        { code: "frame.unknown" },
      ]);
    }
  });

  test("of subagents have their lineage, down to the root", () => {
    const [outer, inner] = [{ parent_tool_use_id: "t1" }, { parent_tool_use_id: "t2" }];
    const events = eventsOf([
      init(),
      assistant("a", [call("t1", "Agent")]),
      system("task_started", {
        task_id: "one",
        tool_use_id: "t1",
        task_type: "local_agent",
        is_backgrounded: false,
      }),
      assistant("b", [call("t2", "Agent")], outer),
      system("task_started", {
        task_id: "two",
        tool_use_id: "t2",
        task_type: "local_agent",
        is_backgrounded: false,
      }),
      assistant("c", [text("deep"), call("t3", "Read", { file_path: "/w/a" })], inner),
      toolResult("t3", "x", inner),
      toolResult("t2", "done", outer),
      toolResult("t1", "done"),
    ]);
    expect(only(events, "message.started").map(({ messageId, agent }) => [messageId, agent])).toEqual([
      ["a", undefined],
      ["b", ["one"]],
      ["c", ["two", "one"]],
    ]);
    expect(only(events, "tool.ended").map(({ callId, agent }) => [callId, agent])).toEqual([
      ["t3", ["two", "one"]],
      ["t2", ["one"]],
      ["t1", undefined],
    ]);
    expect(only(events, "task.ended").map(({ taskId, agent }) => [taskId, agent])).toEqual([
      ["two", ["one"]],
      ["one", undefined],
    ]);
  });

  test("of a subagent neither end nor continue those of the main agent", () => {
    const { events, snapshot } = played([
      init(),
      messageStart("a"),
      textDelta(0, "ma"),
      assistant("b", [text("child")], { parent_tool_use_id: "t1" }),
      textDelta(0, "in"),
    ]);
    expect(only(events, "message.ended")).toEqual([]);
    expect(snapshot.open.filter(({ kind }) => kind === "message").map(({ id }) => id)).toEqual(["a", "b"]);
    expect(rowsOf(events).filter((row) => row.type === "text")).toMatchObject([
      { text: "child", agent: ["t1"] },
    ]);
  });
});
