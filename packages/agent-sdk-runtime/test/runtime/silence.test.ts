import { describe, expect, test } from "vitest";
import type { AgentRuntime, Harness } from "@claxedo/agent-sdk-runtime";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { scriptedClaude } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();
const silenceMs = 500;

/** A host whose commits take no time, so that silence is the harness's alone. */
function quick(harness: Harness = scriptedClaude()): AgentRuntime {
  const store = memoryStore({ of: memoryDatabase() });
  return stage.host({ harnesses: [harness], deadlines: { silenceMs } }, store);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe("silence", () => {
  test.each(["ask", "question", "tool"])("may last while it is the turn of others: %s", async (input) => {
    const runtime = quick();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input });
    await pause(silenceMs * 4);
    expect((await runtime.turns.get({ sessionId, turnId: turn.id })).status).toBe("running");
  });

  test("may last while the background asks", async () => {
    const runtime = quick();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId, input: "background ask" })
    ).settled;
    const { requestId } = await eventOf(runtime, sessionId, "permission.requested");
    const turn = await runtime.turns.start({ sessionId, input: "work" });
    await pause(silenceMs * 4);
    expect((await runtime.turns.get({ sessionId, turnId: turn.id })).status).toBe("running");
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "silence-deadline" });
  });

  test("has its limit although work goes on in the background", async () => {
    const runtime = quick();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId, input: "background" })
    ).settled;
    await pause(silenceMs * 3);
    expect(await runtime.tasks.list(sessionId)).toHaveLength(1);
    const turn = await runtime.turns.start({ sessionId, input: "work" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "silence-deadline" });
  });

  test("has its limit in a run of the harness's own, too: the session does not stay busy", async () => {
    const runtime = quick();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "background hang" });
    expect((await turn.settled).outcome).toBe("completed");
    const run = await eventOf(runtime, sessionId, "run.ended", (await turn.settled).seq);
    expect(run).toMatchObject({ outcome: "failed", reason: "connection-ended" });
    await expect.poll(async () => (await runtime.sessions.get(sessionId)).status).toBe("idle");
  });

  test("B073 is given up after its bound, and the next turn works", async () => {
    const harness = scriptedClaude();
    const runtime = quick(harness);
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "stubborn" });
    const result = await turn.settled;
    expect(result).toMatchObject({ outcome: "failed", reason: "silence-deadline" });
    expect(result.error?.message).toBe(`claude said nothing for ${silenceMs} ms.`);
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
    expect(harness.stage.connections).toBe(2);
  });

  test("B008 after a rate limit ends the turn as failed, and says until when the limit holds", async () => {
    const runtime = quick();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "limit" });
    const result = await turn.settled;
    expect(result).toMatchObject({ outcome: "failed", reason: "silence-deadline" });
    expect(result.error?.message).toContain("rate limit, which ends 2030-03-17T17:46:40.000Z");
    expect((await runtime.sessions.get(sessionId)).status).toBe("idle");
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
  });
});
