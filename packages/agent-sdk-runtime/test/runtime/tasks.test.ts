import { describe, expect, test } from "vitest";
import { scriptedClaude, scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

describe("tasks", () => {
  test("are listed while they are at work, and stopped one by one", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    for (const input of ["background", "background"])
      await (
        await runtime.turns.start({ sessionId, input })
      ).settled;
    const open = await runtime.tasks.list(sessionId);
    const [first, second] = await eventsOf(runtime, sessionId, "task.started");
    const shown = { kind: "background", title: "Goes on" };
    expect(open).toEqual([
      { taskId: first?.taskId, callId: first?.callId, ...shown },
      { taskId: second?.taskId, callId: second?.callId, ...shown },
    ]);
    expect((await runtime.sessions.get(sessionId)).status).toBe("idle");
    await runtime.tasks.stop({ sessionId, taskId: first?.taskId ?? "" });
    expect(await eventOf(runtime, sessionId, "task.ended")).toMatchObject({
      taskId: first?.taskId,
      outcome: "cancelled",
    });
    expect(await runtime.tasks.list(sessionId)).toMatchObject([{ taskId: second?.taskId }]);
    const again = runtime.tasks.stop({ sessionId, taskId: first?.taskId ?? "" });
    await expect(again).rejects.toMatchObject({ code: "task-not-found" });
  });

  test("are stopped in a later connection, too", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId, input: "crash" })
    ).settled;
    await (
      await runtime.turns.start({ sessionId, input: "background" })
    ).settled;
    const [task] = await runtime.tasks.list(sessionId);
    expect(task?.taskId).toMatch(/^c2\./u);
    await runtime.tasks.stop({ sessionId, taskId: task?.taskId ?? "" });
    expect(await eventOf(runtime, sessionId, "task.ended")).toMatchObject({ outcome: "cancelled" });
  });

  test("end with their connection: a later host lists none", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId, input: "background" })
    ).settled;
    await runtime.close();
    const later = stage.host();
    expect(await later.tasks.list(sessionId)).toEqual([]);
    expect(await eventsOf(later, sessionId, "task.ended")).toMatchObject([{ outcome: "abandoned" }]);
  });

  test("tell of their end in a run that belongs to no turn", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "background done" });
    expect(await turn.settled).toMatchObject({ outcome: "completed", costUsd: 0.01 });
    await expect.poll(async () => (await eventsOf(runtime, sessionId, "run.ended")).length).toBe(2);
    expect(await eventsOf(runtime, sessionId, "run.started")).toMatchObject([
      { origin: "user", turnId: turn.id },
      { origin: "harness" },
    ]);
    expect(await runtime.turns.list(sessionId)).toHaveLength(1);
  });

  test("cannot be stopped where the harness has none", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder, harness);
    const stopped = runtime.tasks.stop({ sessionId, taskId: "t" });
    await expect(stopped).rejects.toMatchObject({ code: "task-not-found" });
  });
});

describe("a session shows", () => {
  test("the last list of things to do, also to a host that comes later", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    expect(await runtime.todos.list(sessionId)).toEqual([]);
    for (const input of ["todo one", "todo two;three", "answer"])
      await (
        await runtime.turns.start({ sessionId, input })
      ).settled;
    const todos = [
      { text: "two", status: "pending" },
      { text: "three", status: "pending" },
    ];
    expect(await runtime.todos.list(sessionId)).toEqual(todos);
    await runtime.close();
    expect(await stage.host().todos.list(sessionId)).toEqual(todos);
  });

  test("the MCP servers that its connection told of, while that is up", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    expect(await runtime.mcp.list(sessionId)).toEqual([]);
    for (const input of ["mcp echo pending;files connected", "mcp files needs-auth;echo connected"])
      await (
        await runtime.turns.start({ sessionId, input })
      ).settled;
    const servers = [
      { server: "echo", status: "connected" },
      { server: "files", status: "failed", message: "It needs a login." },
    ];
    expect(await runtime.mcp.list(sessionId)).toEqual(servers);
    expect(await stage.host({ role: "reader" }).mcp.list(sessionId)).toEqual(servers);
    await (
      await runtime.turns.start({ sessionId, input: "crash" })
    ).settled;
    await expect.poll(() => runtime.mcp.list(sessionId)).toEqual([]);
    await (
      await runtime.turns.start({ sessionId, input: "mcp files connected" })
    ).settled;
    expect(await runtime.mcp.list(sessionId)).toEqual([{ server: "files", status: "connected" }]);
    await runtime.close();
    expect(await stage.host().mcp.list(sessionId)).toEqual([]);
  });

  test("what all its runs used and cost, those of the harness's own too; nothing is not 0", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId, input: "crash" })
    ).settled;
    const unknown = await runtime.sessions.get(sessionId);
    expect(unknown.usage).toBeUndefined();
    expect(unknown.costUsd).toBeUndefined();
    for (const input of ["answer", "background done"])
      await (
        await runtime.turns.start({ sessionId, input })
      ).settled;
    await expect
      .poll(() => runtime.sessions.get(sessionId))
      .toMatchObject({ usage: { inputTokens: 30, outputTokens: 15 }, costUsd: 0.03 });
    const turns = await runtime.turns.list(sessionId);
    expect(turns.map(({ costUsd }) => costUsd)).toEqual([undefined, 0.01, 0.01]);
  });
});
