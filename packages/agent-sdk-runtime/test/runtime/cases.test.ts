import { describe, expect, test } from "vitest";
import { scriptedClaude, scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

describe("turns settle whatever the harness does", () => {
  test("B020 a program that ends without a result fails its turn, and what it had said is kept", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "crash half of an answer" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "harness-crashed" });
    const { rows } = await runtime.messages.list(sessionId);
    expect(rows.filter((row) => row.type === "text")).toMatchObject([{ text: "half of an answer" }]);
    expect((await runtime.sessions.get(sessionId)).status).toBe("idle");
  });

  test("B035 sends at the same time run one after another, in order, in one program", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const inputs = ["answer one", "answer two", "answer three"];
    const turns = await Promise.all(inputs.map((input) => runtime.turns.start({ sessionId, input })));
    for (const turn of turns) expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage).toMatchObject({ prompts: inputs, connections: 1 });
    const order = (await eventsOf(runtime, sessionId, "turn.ended")).map(({ turnId }) => turnId);
    expect(order).toEqual(turns.map(({ id }) => id));
  });

  test("B036 a prompt that is refused fails alone, also after a cancel that the harness ignored", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder, harness);
    const long = await runtime.turns.start({ sessionId, input: "stubborn" });
    await eventOf(runtime, sessionId, "run.started");
    const x = await runtime.turns.start({ sessionId, input: "refuse" });
    const y = await runtime.turns.start({ sessionId, input: "answer" });
    await runtime.turns.cancel({ sessionId, turnId: long.id, graceMs: 400 });
    expect(await long.settled).toMatchObject({ outcome: "cancelled", reason: "cancel-forced" });
    expect(await x.settled).toMatchObject({ outcome: "failed", reason: "harness.refused" });
    expect(await y.settled).toMatchObject({ outcome: "completed" });
    expect((await runtime.sessions.get(sessionId)).status).toBe("idle");
  });

  test("B066 a second cancel of the same turn does nothing, and the next turn is not hit by it", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "work" });
    await eventOf(runtime, sessionId, "run.started");
    const next = await runtime.turns.start({ sessionId, input: "answer next" });
    const { id: turnId } = turn;
    const cancels = await Promise.all([1, 2, 3].map(() => runtime.turns.cancel({ sessionId, turnId })));
    for (const cancelled of cancels) expect(cancelled.status).toBe("cancelled");
    expect((await next.settled).outcome).toBe("completed");
    expect(await runtime.turns.cancel({ sessionId, turnId: next.id })).toMatchObject({ status: "completed" });
  });

  test("B068 a turn that the harness has not begun is cancelled in time", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder, harness);
    const turn = await runtime.turns.start({ sessionId, input: "says nothing to this" });
    await expect.poll(() => harness.stage.prompts).toHaveLength(1);
    await runtime.turns.cancel({ sessionId, turnId: turn.id, graceMs: 400 });
    expect(await turn.settled).toMatchObject({ outcome: "cancelled" });
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
  });

  test("B074 who else opens the session works on the same turn, and reaches it", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "work" });
    await eventOf(runtime, sessionId, "run.started");
    expect(await runtime.sessions.get(sessionId)).toMatchObject({ turn: { turnId: turn.id } });
    const other = stage.host().turns.cancel({ sessionId, turnId: turn.id });
    await expect(other).rejects.toMatchObject({ code: "owned-elsewhere" });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    expect((await turn.settled).outcome).toBe("cancelled");
    expect(harness.stage.connections).toBe(1);
  });

  test("B104 a call that is open when its turn ends, ends with it; to cancel what is over is no fault", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "tool" });
    await eventOf(runtime, sessionId, "tool.started");
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    expect(await eventsOf(runtime, sessionId, "tool.ended")).toMatchObject([{ outcome: "cancelled" }]);
    expect(await runtime.turns.cancel({ sessionId, turnId: turn.id })).toMatchObject({ status: "cancelled" });
    await runtime.sessions.delete(sessionId);
    expect(await runtime.sessions.list()).toEqual([]);
  });

  test("an adapter that does not know its own prompt fails the turn: nothing waits for ever", async () => {
    const harness = scriptedClaude();
    const adapter: typeof harness.adapter = {
      ...harness.adapter,
      reduce: (state, frame, context) =>
        frame.kind === undefined && frame.dir === "sent"
          ? { state, events: [] }
          : harness.adapter.reduce(state, frame, context),
    };
    const runtime = stage.host({ harnesses: [{ ...harness, adapter }] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "answer" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "input-lost" });
    expect(harness.stage.prompts).toEqual([]);
  });
});
