import { describe, expect, test } from "vitest";
import type { AgentRuntime, Turn } from "@claxedo/agent-sdk-runtime";
import { scriptedClaude, scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

interface Running {
  readonly sessionId: string;
  readonly turn: Turn;
}

/** A session whose turn has begun to work on that. */
async function running(runtime: AgentRuntime, input: string): Promise<Running> {
  const { id: sessionId } = await newSession(runtime, stage.folder);
  const turn = await runtime.turns.start({ sessionId, input });
  await eventOf(runtime, sessionId, "run.started");
  return { sessionId, turn };
}

describe("steering", () => {
  test("hands input into the run of a turn, which then owns it", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, turn } = await running(runtime, "fold");
    const steered = await runtime.turns.steer({ sessionId, turnId: turn.id, input: "and this" });
    if (steered.outcome === "missed") throw new Error("It was missed.");
    expect(await turn.settled).toMatchObject({ outcome: "completed" });
    expect(harness.stage.prompts).toEqual(["fold", "and this"]);
    const sent = await eventsOf(runtime, sessionId, "input.sent");
    expect(sent).toMatchObject([{}, { inputId: steered.inputId, turnId: turn.id, steer: true }]);
    const joined = await eventsOf(runtime, sessionId, "input.joined");
    expect(new Set(joined.map(({ runId }) => runId)).size).toBe(1);
    expect(await eventsOf(runtime, sessionId, "input.ended")).toMatchObject([
      { inputId: steered.inputId, outcome: "answered" },
      { outcome: "answered" },
    ]);
    const { rows } = await runtime.messages.list(sessionId);
    expect(rows.filter((row) => row.type === "input")).toMatchObject([{}, { steer: true, turnId: turn.id }]);
  });

  test("keeps the turn open for a run of its own, whose outcome is the turn's", async () => {
    const runtime = stage.host();
    const { sessionId, turn } = await running(runtime, "apart");
    const steered = await runtime.turns.steer({ sessionId, turnId: turn.id, input: "answer that" });
    expect(steered.outcome).toBe("sent");
    expect(await turn.settled).toMatchObject({ outcome: "completed", costUsd: 0.02 });
    expect(await eventsOf(runtime, sessionId, "run.ended")).toMatchObject([
      { turnId: turn.id },
      { turnId: turn.id },
    ]);
    expect(await eventsOf(runtime, sessionId, "turn.ended")).toHaveLength(1);
  });

  test("misses a turn that has ended, and one that has not begun: nothing is sent", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, turn } = await running(runtime, "work");
    const queued = await runtime.turns.start({ sessionId, input: "answer later" });
    const early = await runtime.turns.steer({ sessionId, turnId: queued.id, input: "too early" });
    expect(early).toEqual({ outcome: "missed" });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    await queued.settled;
    const late = await runtime.turns.steer({ sessionId, turnId: turn.id, input: "too late" });
    expect(late).toEqual({ outcome: "missed" });
    expect(harness.stage.prompts).toEqual(["work", "answer later"]);
    expect(await eventsOf(runtime, sessionId, "input.sent")).toHaveLength(2);
  });

  test("waits for the prompt of its turn, which goes first", async () => {
    const harness = scriptedClaude();
    const started = Promise.withResolvers<void>();
    harness.stage.connect = () => started.promise;
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "fold" });
    const steered = runtime.turns.steer({ sessionId, turnId: turn.id, input: "and this" });
    started.resolve();
    expect((await steered).outcome).toBe("sent");
    expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage.prompts).toEqual(["fold", "and this"]);
  });

  test("misses a turn whose harness does not start", async () => {
    const harness = scriptedClaude();
    harness.stage.connect = () => Promise.reject(new Error("no such binary"));
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "fold" });
    const steered = await runtime.turns.steer({ sessionId, turnId: turn.id, input: "and this" });
    expect(steered).toEqual({ outcome: "missed" });
    expect(await turn.settled).toMatchObject({ reason: "harness-start-failed" });
  });

  test("loses input that cannot be written, and the turn goes on without it", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, turn } = await running(runtime, "fold");
    harness.stage.failWrites = "the pipe is full";
    const lost = await runtime.turns.steer({ sessionId, turnId: turn.id, input: "lost" });
    expect(await eventOf(runtime, sessionId, "input.ended")).toMatchObject({
      ...(lost.outcome === "sent" && { inputId: lost.inputId }),
      outcome: "lost",
    });
    expect((await runtime.sessions.get(sessionId)).turn?.turnId).toBe(turn.id);
    delete harness.stage.failWrites;
    await runtime.turns.steer({ sessionId, turnId: turn.id, input: "and this" });
    expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage.prompts).toEqual(["fold", "and this"]);
  });

  test("is ended with its turn by a cancel, also what waits in the harness", async () => {
    const runtime = stage.host();
    const { sessionId, turn } = await running(runtime, "work");
    const inputs = ["one", "two", "three"];
    for (const input of inputs) await runtime.turns.steer({ sessionId, turnId: turn.id, input });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    expect(await turn.settled).toMatchObject({ outcome: "cancelled" });
    const ended = await eventsOf(runtime, sessionId, "input.ended");
    expect(ended.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => "cancelled"));
    expect(await runtime.turns.steer({ sessionId, turnId: turn.id, input: "four" })).toEqual({
      outcome: "missed",
    });
  });

  test("is ended with its turn when the harness does not obey, which takes no more input then", async () => {
    const runtime = stage.host();
    const { sessionId, turn } = await running(runtime, "stubborn");
    await runtime.turns.steer({ sessionId, turnId: turn.id, input: "one" });
    const cancelled = runtime.turns.cancel({ sessionId, turnId: turn.id, graceMs: 2_000 });
    expect(await runtime.turns.steer({ sessionId, turnId: turn.id, input: "two" })).toEqual({
      outcome: "missed",
    });
    expect(await cancelled).toMatchObject({ status: "cancelled", reason: "cancel-forced" });
    const ended = await eventsOf(runtime, sessionId, "input.ended");
    expect(ended.map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  });

  test("is not supported by a harness that takes no input while it works", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder, harness);
    const turn = await runtime.turns.start({ sessionId, input: "never" });
    const steered = runtime.turns.steer({ sessionId, turnId: turn.id, input: "x" });
    await expect(steered).rejects.toMatchObject({ code: "not-supported" });
    const queued = await runtime.turns.start({ sessionId, input: "answer", whenBusy: "steer" });
    expect(queued).toMatchObject({ status: "queued" });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    expect((await queued.settled).outcome).toBe("completed");
  });

  test("checks what it is given", async () => {
    const runtime = stage.host();
    const { sessionId, turn } = await running(runtime, "work");
    const bad = [
      [{ sessionId, turnId: "turn_x", input: "x" }, "turn-not-found"],
      [{ sessionId: "nope", turnId: turn.id, input: "x" }, "session-not-found"],
      [{ sessionId, turnId: turn.id, input: " " }, "invalid-input"],
    ] as const;
    for (const [options, code] of bad)
      await expect(runtime.turns.steer(options)).rejects.toMatchObject({ code });
    const elsewhere = stage.host().turns.steer({ sessionId, turnId: turn.id, input: "x" });
    await expect(elsewhere).rejects.toMatchObject({ code: "owned-elsewhere" });
  });
});

describe("whenBusy steer", () => {
  test("goes into the turn that runs and answers that one", async () => {
    const runtime = stage.host();
    const { sessionId, turn } = await running(runtime, "fold");
    const same = await runtime.turns.start({ sessionId, input: "and this", whenBusy: "steer" });
    expect(same).toMatchObject({ id: turn.id, seq: turn.seq });
    expect(await same.settled).toEqual(await turn.settled);
    expect(await runtime.turns.list(sessionId)).toHaveLength(1);
  });

  test("starts a turn where none runs", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "answer", whenBusy: "steer" });
    expect((await turn.settled).outcome).toBe("completed");
    const next = await runtime.turns.start({ sessionId, input: "answer", whenBusy: "steer" });
    expect(next.id).not.toBe(turn.id);
    expect((await next.settled).outcome).toBe("completed");
  });

  test("takes no idempotency key, which only turns remember", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const start = runtime.turns.start({ sessionId, input: "x", whenBusy: "steer", idempotencyKey: "k" });
    await expect(start).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("loses no input that races with the end of the turn: it is in it, or has a turn of its own", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    for (let round = 0; round < 30; round += 1) {
      const first = await runtime.turns.start({ sessionId, input: `answer ${round}` });
      if (round % 3 === 1) await eventOf(runtime, sessionId, "run.started", first.seq);
      if (round % 3 === 2) await first.settled;
      const second = await runtime.turns.start({
        sessionId,
        input: `answer too ${round}`,
        whenBusy: "steer",
      });
      expect((await first.settled).outcome).toBe("completed");
      expect((await second.settled).outcome).toBe("completed");
    }
    expect(harness.stage.prompts).toHaveLength(60);
    const ended = await eventsOf(runtime, sessionId, "input.ended");
    expect(ended).toHaveLength(60);
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(["answered"]));
  });
});
