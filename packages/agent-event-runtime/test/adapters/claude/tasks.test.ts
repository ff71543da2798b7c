import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  canUseTool,
  eventsOf,
  init,
  ofCase,
  only,
  played,
  result,
  system,
  text,
  toolResult,
} from "./said.ts";

const child = { parent_tool_use_id: "t1" };
const agent = [
  init(),
  assistant("a", [call("t1", "Agent", { description: "Look" })]),
  system("task_started", {
    task_id: "one",
    tool_use_id: "t1",
    task_type: "local_agent",
    description: "Look",
    is_backgrounded: false,
  }),
];
const killed = [
  system("task_updated", { task_id: "one", patch: { status: "killed" } }),
  system("task_notification", { task_id: "one", status: "stopped", summary: "Look" }),
];

describe("subagents of claude", () => {
  test("are tasks of the call that started them, and end before it", () => {
    for (const name of ["i-fg-agent-forward", "h-bg-agent-asks"]) {
      const events = ofCase(name);
      expect(only(events, "task.started")).toMatchObject([
        { kind: "agent", callId: "toolu_mock_000001", title: "Child work" },
      ]);
      expect(only(events, "task.ended")).toMatchObject([{ outcome: "completed", summary: "Child report." }]);
    }
  });

  test("tell what they do now", () => {
    expect(only(ofCase("i-fg-agent-forward"), "task.updated")).toMatchObject([{ summary: "Running Child" }]);
  });

  test("are handed their prompt, which no user typed", () => {
    const [prompt] = only(ofCase("i-fg-agent-forward"), "message.started").filter(
      ({ role }) => role === "user",
    );
    expect(prompt).toMatchObject({ synthetic: true, agent: ["a68b3c67ee4ef0545"] });
  });

  test("leave nothing open when they end", () => {
    const { events, snapshot } = played([
      ...agent,
      assistant("b", [text("looking"), call("t2", "Bash")], child),
      canUseTool("r1", { tool_name: "Bash", input: {}, tool_use_id: "t2" }),
      canUseTool("r2", { tool_name: "Bash", input: {}, agent_id: "one" }),
      ...killed,
    ]);
    const withdrawn = { outcome: "cancelled", by: "harness", agent: ["one"] };
    expect(only(events, "permission.ended")).toMatchObject([withdrawn, withdrawn]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "t2", outcome: "cancelled" }]);
    expect(only(events, "message.ended")).toMatchObject([{ messageId: "b", outcome: "cancelled" }]);
    expect(only(events, "task.ended")).toMatchObject([
      { taskId: "one", outcome: "cancelled", summary: "Look" },
    ]);
    expect(snapshot.open.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["run r1", "message a", "tool t1"]);
  });

  test("end with those inside them", () => {
    const events = eventsOf([
      ...agent,
      assistant("b", [call("t2", "Agent")], child),
      system("task_started", {
        task_id: "two",
        tool_use_id: "t2",
        task_type: "local_agent",
        is_backgrounded: false,
      }),
      assistant("c", [text("deep")], { parent_tool_use_id: "t2" }),
      ...killed,
    ]);
    expect(only(events, "task.ended").map(({ taskId, outcome }) => `${taskId} ${outcome}`)).toEqual([
      "two cancelled",
      "one cancelled",
    ]);
  });

  test("end with the result of their call, unless that says that they go on", () => {
    const ends = (more: object) =>
      only(eventsOf([...agent, toolResult("t1", "x", { tool_use_result: more })]), "task.ended");
    expect(ends({ status: "completed" })).toMatchObject([{ taskId: "one", outcome: "completed" }]);
    for (const on of [{ isAsync: true }, { status: "async_launched" }, { backgroundTaskId: "one" }])
      expect(ends(on)).toEqual([]);
  });

  test("that are over may say more, which is late and opens nothing", () => {
    const { events, snapshot } = played([
      ...agent,
      ...killed,
      assistant("b", [text("and")], { ...child, agent_id: "one" }),
      toolResult("t2", "x", { ...child, agent_id: "one" }),
    ]);
    expect(only(events, "message.started").at(-1)).toMatchObject({
      messageId: "b",
      agent: ["one"],
      late: true,
    });
    expect(only(events, "task.started")).toHaveLength(1);
    expect(snapshot.open.map(({ kind }) => kind)).toEqual(["run", "message", "tool"]);
  });

  test("known by what comes from inside them take the name that the CLI gives them later", () => {
    const events = eventsOf([
      init(),
      assistant("a", [call("t1", "Agent")]),
      assistant("b", [text("x")], child),
      system("task_started", { task_id: "one", tool_use_id: "t1", task_type: "local_agent" }),
      ...killed,
    ]);
    expect(only(events, "task.started")).toMatchObject([{ taskId: "t1", callId: "t1" }]);
    expect(only(events, "task.ended")).toMatchObject([{ taskId: "t1", outcome: "cancelled" }]);
  });

  test("that begin again under their id are another task", () => {
    const again = system("task_started", {
      task_id: "one",
      tool_use_id: "t5",
      task_type: "local_agent",
      is_backgrounded: true,
    });
    expect(only(eventsOf([...agent, ...killed, again]), "task.started").map(({ taskId }) => taskId)).toEqual([
      "one",
      "one.6",
    ]);
  });
});

describe("background work of claude", () => {
  test("is a task while it goes on, and its call is answered", () => {
    const events = ofCase("h-bg-bash-race");
    expect(only(events, "task.started")).toMatchObject([
      { kind: "background", callId: "toolu_mock_000001", title: "Wait" },
    ]);
    expect(only(events, "tool.ended")).toMatchObject([
      { outcome: "ok", output: expect.stringContaining("running in background") },
    ]);
    expect(only(events, "task.ended")).toMatchObject([
      { outcome: "completed", summary: 'Background command "Wait" completed (exit code 0)' },
    ]);
    expect(only(events, "task.ended")[0]).not.toHaveProperty("runId");
  });

  const fore = system("task_started", {
    task_id: "b",
    tool_use_id: "t1",
    task_type: "local_bash",
    is_backgrounded: false,
  });
  const done = system("task_notification", {
    task_id: "b",
    status: "completed",
    summary: "s",
    output_file: "/o",
  });

  test("a command that is waited for is none, until it is moved", () => {
    expect(only(eventsOf([init(), fore, done]), "task.started")).toEqual([]);
    for (const moved of [
      system("task_updated", { task_id: "b", patch: { is_backgrounded: true } }),
      system("background_tasks_changed", { tasks: [{ task_id: "b" }] }),
    ]) {
      const events = eventsOf([init(), fore, moved, moved, done, done]);
      expect(only(events, "task.started")).toMatchObject([{ taskId: "b", kind: "background" }]);
      expect(only(events, "task.ended")).toMatchObject([{ taskId: "b", outcome: "completed" }]);
    }
    expect(only(ofCase("h-background-tasks"), "task.started")).toHaveLength(1);
  });

  test("that is gone from the set of what runs has ended", () => {
    const back = system("task_started", { task_id: "b", task_type: "local_bash", is_backgrounded: true });
    const none = system("background_tasks_changed", { tasks: [] });
    expect(only(eventsOf([init(), back, none]), "task.ended")).toMatchObject([{ outcome: "abandoned" }]);
    const told = system("task_notification", { task_id: "b", status: "failed", summary: "s" });
    expect(only(eventsOf([init(), back, told, none]), "task.ended")).toMatchObject([{ outcome: "failed" }]);
  });

  test("outlives an interrupt", () => {
    const { snapshot } = played([
      init(),
      system("task_started", { task_id: "b", task_type: "local_bash", is_backgrounded: true }),
      result({ terminal_reason: "aborted_tools", is_error: true }),
    ]);
    expect(snapshot.open).toMatchObject([{ kind: "task", id: "b" }]);
  });

  test("that no frame names makes no sense", () => {
    for (const subtype of ["task_started", "task_updated", "task_progress", "task_notification"]) {
      expect(only(eventsOf([system(subtype)]), "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
    }
  });
});
