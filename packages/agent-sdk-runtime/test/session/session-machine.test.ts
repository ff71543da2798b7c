import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventDraft, EventOf } from "@claxedo/agent-event-runtime";
import { statusOf } from "../../src/session/session-status.ts";
import { emptySessionState } from "../../src/session/session-state.ts";
import { happening, nothingYet, play, rebuild, step, type Happening } from "./session-model.ts";

const happenings = fc.array(happening, { maxLength: 60, size: "max" });
const runs = { numRuns: 600 };

describe("session machine, any order of inputs", () => {
  test("gives each turn at most one start and one verdict, in order of acceptance", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, turns, progress } = play(list, startNext);
        const ofTurn = (type: string, id: string): number =>
          events.filter((e) => e.type === type && e.turnId === id).length;
        for (const turn of turns.values()) {
          expect(ofTurn("turn.queued", turn.turnId)).toBe(1);
          expect(ofTurn("turn.ended", turn.turnId)).toBe(turn.time.ended === undefined ? 0 : 1);
        }
        const running = [...turns.values()].filter((turn) => turn.status === "running");
        expect(running.length).toBeLessThanOrEqual(1);
        expect(progress.state.turn?.record).toEqual(running[0]);
        const waiting = [...turns.values()].filter((turn) => turn.status === "queued");
        expect(progress.state.queue).toEqual(waiting.sort((a, b) => a.seq.queued - b.seq.queued));
      }),
      runs,
    );
  });

  test("numbers events without a gap and tells the status whenever it changes", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, progress } = play(list, startNext);
        expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
        const told = events.filter((event) => event.type === "session.status").map((event) => event.status);
        for (const [index, status] of told.entries()) expect(status).not.toBe(told[index - 1]);
        if (told.length > 0) expect(told.at(-1)).toBe(statusOf(progress.state));
      }),
      runs,
    );
  });

  test("keeps lastTurn at the last verdict of a turn that had started", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, progress, turns } = play(list, startNext);
        const last = events.findLast(
          (event) => event.type === "turn.ended" && turns.get(event.turnId)?.time.started !== undefined,
        );
        expect(progress.state.lastTurn?.turnId).toBe(last?.turnId);
        if (last?.turnId !== undefined) expect(progress.state.lastTurn).toEqual(turns.get(last.turnId));
      }),
      runs,
    );
  });

  test("leaves no turn running whose inputs have ended and whose runs are over", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { turn } = play(list, startNext).progress.state;
        if (turn === undefined) return;
        const waits =
          turn.inputs.some((input) => input.outcome === undefined) ||
          turn.runs.some((run) => run.ended === undefined);
        expect(waits).toBe(true);
      }),
      runs,
    );
  });

  test("is rebuilt from the log alone: state, turns, asks and queue", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, progress, turns, asks } = play(list, startNext);
        const again = rebuild(events);
        expect(again.state).toEqual(JSON.parse(JSON.stringify(progress.state)));
        expect(again.turns).toEqual(new Map(turns));
        expect(again.asks).toEqual(new Map(asks));
      }),
      runs,
    );
  });

  test("shows the asks and tasks that are open, the last list of things to do, and what all runs cost", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, progress } = play(list, startNext);
        const { state, snapshot } = progress;
        const open = (...kinds: readonly string[]): readonly string[] =>
          snapshot.open.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
        expect(state.asks.map(({ requestId }) => requestId)).toEqual(open("permission", "question"));
        const tasks = state.tasks ?? [];
        expect(tasks.map(({ taskId }) => taskId)).toEqual(open("task"));
        for (const { title } of tasks) expect(title).toHaveLength(200);
        const todo = events.findLast((event) => event.type === "todo.updated" && event.agent === undefined);
        expect(state.todoSeq).toBe(todo?.seq);
        const costs = events.flatMap((event) =>
          event.type === "run.ended" && event.costUsd !== undefined ? [event.costUsd] : [],
        );
        expect(state.costUsd).toBe(costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost));
      }),
      runs,
    );
  });

  test("shows the last word of each MCP server of the connection that is up, in order of first mention", () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, startNext) => {
        const { events, progress } = play(list, startNext);
        const last = events.findLastIndex(
          ({ type }) => type === "harness.started" || type === "harness.ended",
        );
        const told = new Map<string, EventOf<"mcp.updated">>();
        for (const event of events[last]?.type === "harness.started" ? events.slice(last) : [])
          if (event.type === "mcp.updated") told.set(event.server, event);
        const servers = [...told.values()].map(({ server, status, message }) =>
          message === undefined ? { server, status } : { server, status, message: "m".repeat(200) },
        );
        expect(progress.state.mcp).toEqual(servers.length === 0 ? undefined : servers);
      }),
      runs,
    );
  });

  test("ends a forced turn with the verdict that was given, and closes what it left open", () => {
    fc.assert(
      fc.property(happenings, (list) => {
        const { progress } = play(list, true);
        const running = progress.state.turn?.record.turnId;
        if (running === undefined) return;
        const next = step(
          progress,
          { kind: "force", verdict: { outcome: "failed", reason: "host-lost" } },
          false,
        );
        const end = next.events.find((event) => event.type === "turn.ended");
        expect(end).toMatchObject({ turnId: running, outcome: "failed", reason: "host-lost" });
        expect(
          next.progress.snapshot.open.some((item) => item.kind === "run" && item.turnId === running),
        ).toBe(false);
        expect(next.progress.state.turn).toBeUndefined();
      }),
      runs,
    );
  });
});

describe("session machine, by example", () => {
  const said = (...drafts: readonly EventDraft[]): Happening[] =>
    drafts.map((draft) => ({ kind: "say", draft }));
  const prompt: Happening[] = [
    { kind: "queue", turn: 0 },
    ...said(
      { type: "input.sent", inputId: "input0", parts: [] },
      { type: "run.started", runId: "run0", origin: "user" },
    ),
    ...said({ type: "input.joined", inputId: "input0", runId: "run0" }),
  ];

  test("takes the outcome of the turn from its last run, with its usage", () => {
    const ended = said({
      type: "run.ended",
      runId: "run0",
      outcome: "completed",
      reason: "harness.stop",
      usage: { totalTokens: 7 },
    });
    const { state } = play([...prompt, ...ended], true).progress;
    expect(state.lastTurn).toMatchObject({
      status: "completed",
      reason: "harness.stop",
      usage: { totalTokens: 7 },
    });
    expect(statusOf(state)).toBe("idle");
  });

  test("waits for a run that is open although its input has ended", () => {
    const answered = said({ type: "input.ended", inputId: "input0", outcome: "answered" });
    expect(play([...prompt, ...answered], true).progress.state.turn?.record.turnId).toBe("turn0");
    const ended = said({ type: "run.ended", runId: "run0", outcome: "failed", reason: "harness.error" });
    const { state } = play([...prompt, ...answered, ...ended], true).progress;
    expect(state.lastTurn).toMatchObject({ status: "failed", reason: "harness.error" });
  });

  test("does not let a run of the harness's own end a turn", () => {
    const own = said(
      { type: "run.started", runId: "own", origin: "harness" },
      { type: "run.ended", runId: "own", outcome: "failed", reason: "harness.error" },
    );
    const { state } = play([...prompt, ...own], true).progress;
    expect(state.turn?.record.turnId).toBe("turn0");
    expect(statusOf(state)).toBe("busy");
  });

  test("keeps a turn open while a steered input waits for a run of its own", () => {
    const steered = said(
      { type: "input.sent", inputId: "more", parts: [], steer: true },
      { type: "run.ended", runId: "run0", outcome: "completed", reason: "harness.stop" },
    );
    expect(play([...prompt, ...steered], true).progress.state.turn).toBeDefined();
    const missed = said({ type: "input.ended", inputId: "more", outcome: "refused" });
    expect(play([...prompt, ...steered, ...missed], true).progress.state.lastTurn).toMatchObject({
      status: "completed",
    });
  });

  test("lists a turn cancelled in the queue without making it the last turn", () => {
    const cancelled = said({
      type: "turn.ended",
      turnId: "turn1",
      outcome: "cancelled",
      reason: "cancelled-while-queued",
    });
    const { progress, turns } = play([...prompt, { kind: "queue", turn: 1 }, ...cancelled], true);
    expect(turns.get("turn1")).toMatchObject({ status: "cancelled" });
    expect(progress.state.lastTurn).toBeUndefined();
  });

  test("starts queued turns in order, one at a time, and none while recovering", () => {
    const queue: Happening[] = [
      { kind: "queue", turn: 1 },
      { kind: "queue", turn: 2 },
    ];
    const ended = said({ type: "run.ended", runId: "run0", outcome: "failed", reason: "harness.error" });
    const { state } = play([...prompt, ...queue, ...ended], true).progress;
    expect(state.turn?.record.turnId).toBe("turn1");
    expect(state.queue.map((turn) => turn.turnId)).toEqual(["turn2"]);
    const lost = play([...said({ type: "recovery.started" }), ...queue], true).progress.state;
    expect(lost.turn).toBeUndefined();
    expect(statusOf(lost)).toBe("recovering");
  });

  test("remembers 64 MCP servers, names and messages cut, and goes on hearing of those", () => {
    const up: EventDraft = {
      type: "harness.started",
      harnessId: "pi",
      access: "native",
      connection: 1,
      resumed: false,
    };
    const told = (n: number, status: "connected" | "failed"): EventDraft => ({
      type: "mcp.updated",
      server: `${n} ${"s".repeat(300)}`,
      status,
      message: "m".repeat(300),
    });
    const many = Array.from({ length: 70 }, (_, n) => told(n, "connected"));
    const { mcp = [] } = play(said(up, ...many, told(0, "failed"), told(69, "failed")), true).progress.state;
    expect(mcp.map(({ server }) => Number.parseInt(server))).toEqual(Array.from({ length: 64 }, (_, n) => n));
    expect(mcp.filter(({ status }) => status === "failed")).toEqual([mcp[0]]);
    for (const { server, message } of mcp) expect([server.length, message?.length]).toEqual([200, 200]);
  });

  test("changes nothing for history that is told again", () => {
    const before = play(prompt, true).progress;
    const again = step(
      before,
      { kind: "say", draft: { type: "message.started", messageId: "m", role: "assistant", replayed: true } },
      true,
    );
    expect(again.state).toBe(before.state);
    expect(nothingYet("s").state).toEqual(emptySessionState);
  });
});
