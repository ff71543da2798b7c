import { describe, expect, test } from "vitest";
import type { AgentRuntime, Turn } from "@claxedo/agent-sdk-runtime";
import { scriptedClaude, scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

interface Asking {
  readonly sessionId: string;
  readonly requestId: string;
  readonly turn: Turn;
}

/** A session whose turn asks. */
async function asking(runtime: AgentRuntime, input: string): Promise<Asking> {
  const { id: sessionId } = await newSession(runtime, stage.folder);
  const turn = await runtime.turns.start({ sessionId, input });
  const type = input.startsWith("question") ? "question.requested" : "permission.requested";
  const { requestId } = await eventOf(runtime, sessionId, type);
  return { sessionId, requestId, turn };
}

/** What the transcript says of the agent's words. */
async function words(runtime: AgentRuntime, sessionId: string): Promise<readonly string[]> {
  const { rows } = await runtime.messages.list(sessionId);
  return rows.flatMap((row) => (row.type === "text" ? [row.text] : []));
}

describe("permission requests", () => {
  test("are listed with what a person must see, are answered, and let the turn go on", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask rm -rf build");
    const [open] = await runtime.permissions.list(sessionId);
    const [call] = await eventsOf(runtime, sessionId, "tool.started");
    expect(open).toMatchObject({
      requestId,
      status: "open",
      turnId: turn.id,
      title: "Bash: rm -rf build",
      callId: call?.callId,
      options: [
        { optionId: "allow", effect: "allow", scope: "once" },
        { optionId: "suggestion-0", effect: "allow", scope: "session" },
        { optionId: "deny", effect: "deny", scope: "once" },
      ],
    });
    expect(await runtime.sessions.get(sessionId)).toMatchObject({ status: "busy", asks: 1 });
    expect(await runtime.questions.list(sessionId)).toEqual([]);
    const input = { command: "ls build" };
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow", input });
    expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage.answers).toEqual([{ behavior: "allow", updatedInput: input }]);
    const [ended] = await runtime.permissions.list(sessionId);
    expect(ended).toEqual({
      requestId,
      kind: "permission",
      turnId: turn.id,
      status: "ended",
      outcome: "allowed",
      seq: open?.seq,
    });
    expect((await runtime.sessions.get(sessionId)).asks).toBe(0);
  });

  test("are told to the log with who answered, and for how long it holds", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    await runtime.permissions.answer({ sessionId, requestId, optionId: "suggestion-0" });
    await turn.settled;
    expect(await eventsOf(runtime, sessionId, "permission.ended")).toMatchObject([
      { requestId, outcome: "allowed", by: "user", scope: "session" },
    ]);
    expect(harness.stage.answers).toMatchObject([{ updatedPermissions: [{ type: "setMode" }] }]);
  });

  test("are rejected with words for the model, and the turn goes on", async () => {
    const runtime = stage.host();
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    await runtime.permissions.reject({ sessionId, requestId, message: "Not on a Friday." });
    expect((await turn.settled).outcome).toBe("completed");
    expect(await eventsOf(runtime, sessionId, "permission.ended")).toMatchObject([
      { outcome: "denied", by: "user", scope: "once" },
    ]);
    expect(await eventsOf(runtime, sessionId, "tool.ended")).toMatchObject([
      { outcome: "denied", output: "Not on a Friday." },
    ]);
    expect(await words(runtime, sessionId)).toContain("Refused: Not on a Friday.");
  });

  test("are answered by one of many who try at once; the others get a typed error, and nothing is written twice", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    const tries = Array.from({ length: 8 }, (_, index) =>
      runtime.permissions.answer({ sessionId, requestId, optionId: index % 2 === 0 ? "allow" : "deny" }),
    );
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "ask-ended" });
    await turn.settled;
    expect(harness.stage.answers).toHaveLength(1);
    expect(await eventsOf(runtime, sessionId, "permission.ended")).toHaveLength(1);
  });

  test("B055 are there for a client that comes later; its answer is told to the one that was first", async () => {
    const runtime = stage.host();
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    const first = eventOf(runtime, sessionId, "permission.ended", turn.seq);
    const [pending] = await runtime.permissions.list(sessionId);
    expect(pending).toMatchObject({ requestId, status: "open", options: [{}, {}, {}] });
    expect(await eventOf(runtime, sessionId, "permission.requested")).toMatchObject({ requestId });
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    expect(await first).toMatchObject({ requestId, outcome: "allowed" });
    expect((await turn.settled).outcome).toBe("completed");
  });

  test("B057 of one conversation are two, and the second waits for its own answer", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask one");
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await turn.settled;
    const next = await runtime.turns.start({ sessionId, input: "ask two" });
    const second = await eventOf(runtime, sessionId, "permission.requested", next.seq);
    expect(second.requestId).not.toBe(requestId);
    expect(await runtime.permissions.list(sessionId)).toMatchObject([
      { status: "ended" },
      { status: "open" },
    ]);
    const again = runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(again).rejects.toMatchObject({ code: "ask-ended" });
    await runtime.permissions.reject({ sessionId, requestId: second.requestId });
    await next.settled;
    expect(harness.stage.answers).toMatchObject([{ behavior: "allow" }, { behavior: "deny" }]);
  });

  test("B058 of another session are not answered through this one", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const x = await asking(runtime, "ask x");
    const y = await asking(runtime, "ask y");
    await runtime.permissions.answer({ ...x, optionId: "allow" });
    expect((await x.turn.settled).outcome).toBe("completed");
    const crossed = runtime.permissions.answer({ ...y, sessionId: x.sessionId, optionId: "allow" });
    await expect(crossed).rejects.toMatchObject({ code: expect.stringMatching(/^ask-(ended|not-found)$/u) });
    expect(await runtime.permissions.list(y.sessionId)).toMatchObject([{ status: "open" }]);
    expect(harness.stage.answers).toHaveLength(1);
  });

  test("B060 that were withdrawn are ended, and late or double answers are refused and not written", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "withdraw");
    expect((await turn.settled).outcome).toBe("completed");
    expect(await eventsOf(runtime, sessionId, "permission.ended")).toMatchObject([
      { requestId, outcome: "cancelled", by: "harness" },
    ]);
    for (const optionId of ["allow", "allow"]) {
      const late = runtime.permissions.answer({ sessionId, requestId, optionId });
      await expect(late).rejects.toMatchObject({
        code: "ask-ended",
        message: expect.stringContaining("cancelled"),
      });
    }
    expect(harness.stage.answers).toEqual([]);
    const next = await runtime.turns.start({ sessionId, input: "answer on" });
    expect((await next.settled).outcome).toBe("completed");
  });

  test("B061 end with the turn that is cancelled, before the next one starts", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    const next = await runtime.turns.start({ sessionId, input: "answer two" });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    expect((await turn.settled).outcome).toBe("cancelled");
    expect((await next.settled).outcome).toBe("completed");
    const order = (await runtime.events.list(sessionId, { limit: 1_000 })).flatMap((event) => {
      if (event.type === "permission.ended") return [`${event.type} ${event.outcome}`];
      if (event.type === "turn.ended" || event.type === "turn.started")
        return [`${event.type} ${event.turnId}`];
      return event.type === "session.status" ? [event.status] : [];
    });
    expect(order).toEqual([
      "idle",
      `turn.started ${turn.id}`,
      "busy",
      "permission.ended cancelled",
      `turn.ended ${turn.id}`,
      `turn.started ${next.id}`,
      `turn.ended ${next.id}`,
      "idle",
    ]);
    const late = runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(late).rejects.toMatchObject({ code: "ask-ended" });
  });

  test("come from the background as well, while no turn runs", async () => {
    const runtime = stage.host();
    const { sessionId, requestId, turn } = await asking(runtime, "background ask");
    expect((await turn.settled).outcome).toBe("completed");
    const [open] = await runtime.permissions.list(sessionId);
    const [task] = await runtime.tasks.list(sessionId);
    expect(open).toMatchObject({ requestId, status: "open", agent: [task?.taskId] });
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    expect(await eventOf(runtime, sessionId, "task.ended")).toMatchObject({ outcome: "completed" });
    const own = await eventOf(runtime, sessionId, "run.ended", open?.seq);
    expect(own).toMatchObject({ outcome: "completed" });
    expect(own.turnId).toBeUndefined();
  });

  test("B147 that nobody answers are never allowed: they wait, and end with their host", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    const other = await newSession(runtime, stage.folder);
    await (
      await runtime.turns.start({ sessionId: other.id, input: "answer" })
    ).settled;
    expect(await runtime.permissions.list(sessionId)).toMatchObject([{ requestId, status: "open" }]);
    await runtime.close();
    expect((await turn.settled).outcome).toBe("cancelled");
    const later = stage.host();
    expect(await later.permissions.list(sessionId)).toMatchObject([
      { status: "ended", outcome: "cancelled" },
    ]);
    const late = later.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(late).rejects.toMatchObject({ code: "ask-ended" });
    expect(harness.stage.answers).toEqual([]);
  });

  test("get an error that says what to do when the answer is none", async () => {
    const runtime = stage.host();
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    const wrong = runtime.permissions.answer({ sessionId, requestId, optionId: "maybe" });
    await expect(wrong).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("allow, suggestion-0, deny"),
    });
    const unknown = runtime.permissions.answer({ sessionId, requestId: "q999", optionId: "allow" });
    await expect(unknown).rejects.toMatchObject({ code: "ask-not-found" });
    const other = runtime.questions.answer({ sessionId, requestId, answers: ["Red"] });
    await expect(other).rejects.toMatchObject({ code: "ask-not-found" });
    const elsewhere = stage.host().permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(elsewhere).rejects.toMatchObject({ code: "owned-elsewhere" });
    const reader = stage.host({ role: "reader" });
    expect(await reader.permissions.list(sessionId)).toMatchObject([
      { status: "open", options: [{}, {}, {}] },
    ]);
    const read = reader.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(read).rejects.toMatchObject({ code: "read-only" });
    await runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    expect((await turn.settled).outcome).toBe("completed");
  });

  test("whose answer cannot be handed over end the harness that waits for it, and its turn", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "ask");
    harness.stage.failWrites = "the pipe is half dead";
    const answer = runtime.permissions.answer({ sessionId, requestId, optionId: "allow" });
    await expect(answer).rejects.toMatchObject({
      code: "harness-failed",
      message: expect.stringContaining("the pipe is half dead"),
    });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "ask-unanswerable" });
    expect(await eventsOf(runtime, sessionId, "diagnostic")).toMatchObject([{ code: "input.unsent" }]);
    delete harness.stage.failWrites;
    const next = await runtime.turns.start({ sessionId, input: "answer again" });
    expect((await next.settled).outcome).toBe("completed");
  });
});

describe("questions", () => {
  test("are listed, and answered as a whole, in order", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { sessionId, requestId, turn } = await asking(runtime, "question");
    expect(await runtime.questions.list(sessionId)).toMatchObject([
      {
        requestId,
        status: "open",
        questions: [
          { prompt: "Which colour?", multiple: false, options: [{ label: "Red" }, { label: "Blue" }] },
          { prompt: "Which shapes?", multiple: true },
        ],
      },
    ]);
    await runtime.questions.answer({ sessionId, requestId, answers: ["Blue", ["Round", "Square"]] });
    expect((await turn.settled).outcome).toBe("completed");
    expect(await eventsOf(runtime, sessionId, "question.ended")).toMatchObject([
      { outcome: "answered", by: "user", answers: ["Blue", "Round, Square"] },
    ]);
    expect(harness.stage.answers).toMatchObject([
      { updatedInput: { answers: { "Which colour?": "Blue", "Which shapes?": "Round, Square" } } },
    ]);
  });

  test("are rejected with words for the model", async () => {
    const runtime = stage.host();
    const { sessionId, requestId, turn } = await asking(runtime, "question");
    await runtime.questions.reject({ sessionId, requestId, message: "Decide yourself." });
    expect((await turn.settled).outcome).toBe("completed");
    expect(await eventsOf(runtime, sessionId, "question.ended")).toMatchObject([
      { outcome: "rejected", by: "user" },
    ]);
    expect(await words(runtime, sessionId)).toContain("Refused: Decide yourself.");
  });

  test("stay open when the answers do not fit", async () => {
    const runtime = stage.host();
    const { sessionId, requestId } = await asking(runtime, "question");
    const bad: readonly (readonly (string | readonly string[])[])[] = [
      ["Blue"],
      ["Blue", []],
      [["Blue", "Red"], "Round"],
      [],
    ];
    for (const answers of bad) {
      const answer = runtime.questions.answer({ sessionId, requestId, answers });
      await expect(answer).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(await runtime.questions.list(sessionId)).toMatchObject([{ status: "open" }]);
  });
});

describe("the absence of a person", () => {
  test("denies at once where that is the policy, and says so to the model and the log", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness], asks: "deny" });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    for (const input of ["ask", "question"]) {
      const turn = await runtime.turns.start({ sessionId, input });
      expect((await turn.settled).outcome).toBe("completed");
    }
    expect(await eventsOf(runtime, sessionId, "permission.ended")).toMatchObject([
      { outcome: "denied", by: "policy", scope: "once" },
    ]);
    expect(await eventsOf(runtime, sessionId, "question.ended")).toMatchObject([
      { outcome: "rejected", by: "policy" },
    ]);
    for (const answer of harness.stage.answers)
      expect(answer).toMatchObject({ behavior: "deny", message: expect.stringMatching(/nobody is there/iu) });
  });

  test("answers only what is committed, and commits the answer before it is written", async () => {
    const harness = scriptedClaude();
    const stored: (readonly string[])[] = [];
    const runtime = stage.host({ harnesses: [{ ...harness, connect: watched }], asks: "deny" });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "ask" });
    expect((await turn.settled).outcome).toBe("completed");
    expect(stored).toEqual([["input.sent"], ["input.sent", "permission.requested", "permission.ended"]]);

    async function watched(...request: Parameters<typeof harness.connect>) {
      const connection = await harness.connect(...request);
      const write = connection.write.bind(connection);
      return Object.assign(connection, {
        async write(...frame: Parameters<typeof write>) {
          const types = (await runtime.events.list(sessionId)).map(({ type }) => type);
          stored.push(types.filter((type) => /^(input\.sent|permission\..*)$/u.test(type)));
          await write(...frame);
        },
      });
    }
  });

  test("denies what the background asks, too", async () => {
    const runtime = stage.host({ asks: "deny" });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "background ask" });
    expect((await turn.settled).outcome).toBe("completed");
    expect(await eventOf(runtime, sessionId, "permission.ended")).toMatchObject({ by: "policy" });
  });

  test("ends a harness that cannot be refused, and the turn fails", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [{ ...harness, connect: withoutAnswers }], asks: "deny" });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "ask" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "ask-unanswerable" });

    async function withoutAnswers(...request: Parameters<typeof harness.connect>) {
      const connection = await harness.connect(...request);
      return Object.assign(connection, { answer: undefined }) as unknown as typeof connection;
    }
  });

  test("is no policy of a harness that never asks", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness], asks: "deny" });
    const { id: sessionId } = await newSession(runtime, stage.folder, harness);
    const turn = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await turn.settled).outcome).toBe("completed");
    expect(await runtime.permissions.list(sessionId)).toEqual([]);
  });
});
