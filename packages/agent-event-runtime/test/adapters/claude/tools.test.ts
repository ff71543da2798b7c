import { describe, expect, test } from "vitest";
import { rowsOf } from "../../projections/rows-of.ts";
import {
  answer,
  assistant,
  blockStart,
  blockStop,
  call,
  canUseTool,
  eventsOf,
  init,
  inputDelta,
  messageStart,
  ofCase,
  only,
  played,
  result,
  rowsOfCase,
  system,
  text,
  toolResult,
} from "./said.ts";

const bash = assistant("a", [call("t1", "Bash", { command: "make\nall" })]);

/** How the call of that id ends after these steps. */
function endOf(...steps: Parameters<typeof eventsOf>[0]): unknown {
  return only(eventsOf([init(), bash, ...steps]), "tool.ended")[0];
}

describe("tool calls of claude", () => {
  test("say what they do, on what, and what came of it", () => {
    const events = eventsOf([init(), bash, toolResult("t1", "ok")]);
    expect(only(events, "tool.started")).toMatchObject([
      {
        callId: "t1",
        messageId: "a",
        name: "Bash",
        kind: "execute",
        title: "make",
        input: { command: "make\nall" },
      },
    ]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "t1", outcome: "ok", output: "ok" }]);
  });

  test.each([
    [
      "Read",
      { file_path: "/w/a", offset: 7 },
      { kind: "read", title: "/w/a", locations: [{ path: "/w/a", line: 7 }] },
    ],
    ["NotebookEdit", { notebook_path: "/w/n" }, { kind: "edit", locations: [{ path: "/w/n" }] }],
    ["Grep", { pattern: "x", path: "/w" }, { kind: "search", title: "x" }],
    ["WebFetch", { url: "http://x/" }, { kind: "fetch", title: "http://x/" }],
    ["Agent", { description: "Look", prompt: "p" }, { kind: "agent", title: "Look" }],
    ["TaskCreate", { subject: "Do", description: "Do it well" }, { kind: "think", title: "Do" }],
    ["AskUserQuestion", { questions: [{ question: "Which?" }] }, { kind: "other", title: "Which?" }],
    ["mcp__mini__echo", { text: "x" }, { kind: "mcp" }],
    ["Brandnew", {}, { kind: "other" }],
  ])("%s", (name, input, told) => {
    expect(only(eventsOf([init(), assistant("a", [call("t", name, input)])]), "tool.started")).toMatchObject([
      { name, ...told },
    ]);
  });

  test("that stream tell their input in pieces, then as a whole", () => {
    const events = ofCase("b-tool-partial");
    const whole = only(events, "tool.updated")[0]?.input;
    expect(
      JSON.parse(
        only(events, "tool.input.delta")
          .map((event) => event.text)
          .join(""),
      ),
    ).toEqual(whole);
    expect(only(events, "tool.started")[0]).not.toHaveProperty("input");
  });

  test("whose whole input never comes have it from its pieces, unless those are no JSON or too many", () => {
    const streamed = (...pieces: readonly string[]): unknown =>
      only(
        eventsOf([
          init(),
          messageStart("a"),
          blockStart(0, call("t", "Bash")),
          ...pieces.map((piece) => inputDelta(0, piece)),
          blockStop(0),
        ]),
        "tool.updated",
      ).map(({ input }) => input);
    expect(streamed('{"comm', 'and":"ls"}')).toEqual([{ command: "ls" }]);
    expect(streamed()).toEqual([{}]);
    expect(streamed('{"comm')).toEqual([]);
    expect(
      streamed(
        '{"a":"',
        ..."x"
          .repeat(20)
          .split("")
          .map((x) => x.repeat(1000)),
        '"}',
      ),
    ).toEqual([]);
  });

  test.each([
    ["a failure", {}, { outcome: "failed" }],
    [
      "a refusal by the user",
      {
        tool_result_meta: [{ id: "t1", permission_decision: { decision: "reject", source: "user_reject" } }],
      },
      { outcome: "denied" },
    ],
    [
      "a refusal by a rule",
      { tool_result_meta: [{ id: "t1", non_execution_kind: "permission-rule" }] },
      { outcome: "denied" },
    ],
    [
      "stopped while it ran",
      {
        tool_use_result: "User rejected tool use",
        tool_result_meta: [{ id: "t1", non_execution_kind: "user-rejected" }],
      },
      { outcome: "cancelled" },
    ],
    ["stopped, without reasons", { tool_use_result: "User rejected tool use" }, { outcome: "cancelled" }],
    [
      "reasons of another call",
      { tool_result_meta: [{ id: "t9", non_execution_kind: "permission-rule" }] },
      { outcome: "failed" },
    ],
  ])("end by what the CLI says of an error: %s", (_, more, told) => {
    expect(endOf(toolResult("t1", "x", more, { is_error: true }))).toMatchObject(told);
  });

  test("end as denied when their permission was", () => {
    const ask = canUseTool("r1", { tool_name: "Bash", input: {}, tool_use_id: "t1" });
    expect(
      endOf(
        ask,
        answer("r1", { behavior: "deny", message: "no" }),
        toolResult("t1", "no", {}, { is_error: true }),
      ),
    ).toMatchObject({ outcome: "denied" });
    expect(
      endOf(
        system("permission_denied", { tool_use_id: "t1" }),
        toolResult("t1", "no", {}, { is_error: true }),
      ),
    ).toMatchObject({ outcome: "denied" });
    for (const name of [
      "d-deny-rule",
      "d-no-prompt-tool",
      "d-bad-reply",
      "d-deny-interrupt",
      "q-eof-asking",
    ]) {
      expect(only(ofCase(name), "tool.ended")[0]).toMatchObject({ outcome: "denied" });
    }
  });

  test("of a batch that is interrupted end one by one: done, stopped, never begun", () => {
    const ends = only(ofCase("history-interrupted"), "tool.ended");
    expect(ends.map(({ outcome }) => outcome)).toEqual(["ok", "cancelled", "cancelled"]);
    expect(ends.every(({ runId }) => runId === ends[0]?.runId)).toBe(true);
  });

  test("tell the exit code of a command that failed", () => {
    expect(only(ofCase("c-bash-fail"), "tool.ended")).toMatchObject([
      { outcome: "failed", exitCode: 3, output: "Exit code 3\nout" },
    ]);
    expect(only(ofCase("q-pgroup"), "tool.ended")).toMatchObject([{ outcome: "failed", exitCode: 137 }]);
    expect(endOf(toolResult("t1", "Exit code: none"))).not.toHaveProperty("exitCode");
  });

  test("tell their output without the CLI's wrapping", () => {
    expect(only(ofCase("c-unknown-tool"), "tool.ended")[0]).toMatchObject({
      outcome: "failed",
      output: "Error: No such tool available: NoSuchTool",
    });
    expect(endOf(toolResult("t1", [text("a"), { type: "image" }, text("b")]))).toMatchObject({
      output: "a\nb",
    });
  });

  test("show the images in their output as a message before their end", () => {
    const events = ofCase("m-mcp-content");
    const [shown] = only(events, "part.added");
    expect(shown).toMatchObject({
      kind: "image",
      mediaType: "image/png",
      data: expect.stringMatching(/^iVBOR/),
    });
    const around = events.findIndex((event) => event === shown);
    expect(events.slice(around - 1, around + 3)).toMatchObject([
      { type: "message.started", messageId: shown?.messageId, role: "system" },
      { type: "part.added" },
      { type: "message.ended" },
      { type: "tool.ended", outcome: "ok", output: expect.stringMatching(/^A dot:\n.*\nend$/s) },
    ]);
    const read = [call("t1", "Read"), call("t2", "Read")];
    const image = (data: string) => ({
      type: "image",
      source: { type: "base64", media_type: "image/png", data },
    });
    const both = eventsOf([
      init(),
      assistant("a", read),
      toolResult("t1", [image("AA"), image("BB")]),
      toolResult("t2", [image("CC")]),
    ]);
    expect(only(both, "part.added").map(({ partId }) => partId)).toEqual([
      "t1/output/0",
      "t1/output/1",
      "t2/output/0",
    ]);
    expect(rowsOf(both).filter((row) => row.type === "media")).toHaveLength(3);
  });

  test("tell the tools that a search has found", () => {
    const found = ["A", "B"].map((name) => ({ type: "tool_reference", tool_name: name }));
    expect(endOf(toolResult("t1", found))).toMatchObject({ output: "A\nB" });
  });

  test("whose output was put aside tell as much of it as the CLI hands over", () => {
    const said = "<persisted-output>\nOutput too large (1.2MB).";
    expect(
      endOf(toolResult("t1", said, { tool_use_result: { stdout: "whole", stderr: "and more" } })),
    ).toMatchObject({ output: "whole\nand more" });
    expect(endOf(toolResult("t1", said, { tool_use_result: [text("whole")] }))).toMatchObject({
      output: "whole",
    });
    expect(endOf(toolResult("t1", said))).toMatchObject({ output: said });
  });

  test("change files: added and modified, with a patch where the CLI gives one", () => {
    const changes = only(ofCase("c-files"), "file.changed");
    expect(changes).toMatchObject([
      { path: "/workspace/new.txt", change: "added", callId: "toolu_mock_000001" },
      { path: "/workspace/a.txt", change: "modified", diff: "@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma" },
    ]);
    expect(changes[0]).not.toHaveProperty("diff");
    expect(only(ofCase("c-notebook"), "file.changed")).toMatchObject([
      { path: "/workspace/n.ipynb", change: "modified" },
    ]);
  });

  test("change files in subagents as well, where the CLI gives no figures", () => {
    const write = assistant("a", [call("t2", "Write", { file_path: "/w/b", content: "1" })], {
      parent_tool_use_id: "t1",
    });
    const done = (said: string) =>
      eventsOf([init(), write, toolResult("t2", said, { parent_tool_use_id: "t1" })]);
    expect(only(done("File created successfully at: /w/b"), "file.changed")).toMatchObject([
      { path: "/w/b", change: "added", agent: ["t1"] },
    ]);
    expect(only(done("The file /w/b has been updated."), "file.changed")).toMatchObject([
      { change: "modified" },
    ]);
  });

  test("make the list of things to do: as a whole, or entry by entry", () => {
    expect(only(ofCase("c-todowrite"), "todo.updated")).toMatchObject([
      {
        items: [
          { text: "First", status: "active" },
          { text: "Second", status: "pending" },
        ],
      },
    ]);
    expect(
      only(ofCase("c-task-list"), "todo.updated").map(({ items }) =>
        items.map((item) => `${item.text} ${item.status}`).join(),
      ),
    ).toEqual([
      "First pending",
      "First pending,Second pending",
      "First, renamed active,Second pending",
      "First, renamed active",
      "First, renamed active",
      "",
    ]);
    const create = (id: string) => [
      assistant(`m${id}`, [call(`c${id}`, "TaskCreate")]),
      toolResult(`c${id}`, "", { tool_use_result: { task: { id, subject: id } } }),
    ];
    const gone = [
      assistant("mx", [call("cx", "TaskUpdate")]),
      toolResult("cx", "", { tool_use_result: { taskId: "__proto__", statusChange: { to: "deleted" } } }),
    ];
    const events = eventsOf([init(), ...create("__proto__"), ...create("b"), ...gone]);
    expect(only(events, "todo.updated").at(-1)?.items).toEqual([{ text: "b", status: "pending" }]);
  });

  test("make a list in subagents, where the result does not repeat it", () => {
    const child = { parent_tool_use_id: "t1" };
    const todos = [{ content: "Kid", status: "in_progress" }];
    const write = assistant("b", [call("t2", "TodoWrite", { todos })], child);
    const made = only(eventsOf([init(), write, toolResult("t2", "ok", child)]), "todo.updated");
    expect(made).toMatchObject([{ items: [{ text: "Kid", status: "active" }], agent: ["t1"] }]);
    const failed = toolResult("t2", "no", child, { is_error: true });
    expect(only(eventsOf([init(), write, failed]), "todo.updated")).toEqual([]);
    const nothing = assistant("b", [call("t2", "TodoWrite", { todos: "none" })]);
    expect(only(eventsOf([init(), nothing, toolResult("t2", "ok")]), "todo.updated")).toEqual([]);
  });

  test("tell a plan once, when it is whole", () => {
    expect(only(ofCase("e-plan-file"), "plan.updated")).toMatchObject([
      { text: "# Plan\n\n1. First step\n" },
    ]);
    expect(only(ofCase("e-plan-deny"), "plan.updated")).toMatchObject([{ text: "# Plan" }]);
    const asked = eventsOf([
      init(),
      assistant("a", [call("t1", "ExitPlanMode", {})]),
      canUseTool("r1", { tool_name: "ExitPlanMode", input: { plan: "P" }, tool_use_id: "t1" }),
    ]);
    expect(only(asked, "plan.updated")).toMatchObject([{ text: "P", runId: "r1" }]);
    expect(rowsOfCase("e-plan-file").filter((row) => row.type === "plan")).toHaveLength(1);
  });

  test("that nothing told of before open with their result", () => {
    const events = eventsOf([init(), toolResult("t7", "late word")]);
    expect(only(events, "tool.started")).toMatchObject([{ callId: "t7", name: "unknown" }]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "t7", output: "late word" }]);
  });

  test("that are over are amended by what comes later, and never open again", () => {
    const events = eventsOf([init(), bash, result(), toolResult("t1", "after all"), bash]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "t1", outcome: "abandoned" }]);
    expect(only(events, "tool.amended")).toMatchObject([
      { callId: "t1", outcome: "ok", output: "after all", late: true },
    ]);
    expect(only(events, "tool.started")).toHaveLength(1);
    const repeated = eventsOf([init(), bash, toolResult("t1", "ok"), assistant("b", [call("t1", "Bash")])]);
    expect(only(repeated, "tool.started")).toHaveLength(1);
    expect(only(repeated, "diagnostic")).toEqual([]);
    expect(only(ofCase("h-interrupt-with-bg-agent"), "tool.amended")).toMatchObject([
      { callId: "toolu_mock_000002", outcome: "cancelled" },
    ]);
  });

  test("keep ids that every object has a name for", () => {
    for (const id of ["__proto__", "constructor", "", "x".repeat(5000)]) {
      const { events, snapshot } = played([init(), assistant("a", [call(id, "Bash")]), toolResult(id, "ok")]);
      expect(only(events, "tool.ended")).toHaveLength(1);
      expect(snapshot.state).toMatchObject({ tools: [] });
      expect(only(events, "tool.ended")[0]?.callId.length).toBeLessThanOrEqual(200);
    }
  });

  test("in one frame end one by one, without what is said of one alone", () => {
    const both = assistant("a", [call("t1", "Bash"), call("t2", "Bash")]);
    const results = toolResult("t1", "", { tool_use_result: { interrupted: true } });
    const payload =
      results.do === "frame" && results.frame.kind === undefined ? (results.frame.payload as object) : {};
    const content = ["t1", "t2"].map((id) => ({ type: "tool_result", tool_use_id: id, content: id }));
    const events = eventsOf([
      init(),
      both,
      {
        do: "frame",
        frame: {
          dir: "received",
          channel: "",
          at: 0,
          payload: { ...payload, message: { role: "user", content } },
        },
      },
    ]);
    expect(only(events, "tool.ended")).toMatchObject([
      { callId: "t1", outcome: "ok" },
      { callId: "t2", outcome: "ok" },
    ]);
  });
});
