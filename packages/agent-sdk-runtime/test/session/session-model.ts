import fc from "fast-check";
import {
  emptyProjection,
  emptySnapshot,
  piAdapter,
  transcript,
  type AgentRuntimeEvent,
  type EventDraft,
  type EventOf,
} from "@claxedo/agent-event-runtime";
import { SessionDraft, type SessionProgress } from "../../src/session/session-draft.ts";
import { fold } from "../../src/session/session-machine.ts";
import {
  emptySessionState,
  type AskRecord,
  type SessionState,
  type TurnRecord,
} from "../../src/session/session-state.ts";
import { forcedEnds, type ForcedVerdict } from "../../src/session/turn-machine.ts";

/** One thing that may happen to a session, in any order. */
export type Happening =
  | { readonly kind: "queue"; readonly turn: number }
  | { readonly kind: "force"; readonly verdict: ForcedVerdict }
  | { readonly kind: "finish" }
  | { readonly kind: "say"; readonly draft: EventDraft };

const small = fc.integer({ min: 0, max: 3 });
const outcome = fc.constantFrom("completed" as const, "failed" as const, "cancelled" as const);
const inputOutcome = fc.constantFrom("answered", "cancelled", "refused", "lost", "handled", "known" as const);

/** What a run may tell of its cost: something, nothing, or that it was for nothing. */
const spent = fc.constantFrom<Pick<EventOf<"run.ended">, "usage" | "costUsd">>(
  { usage: { totalTokens: 5 }, costUsd: 0.25 },
  { usage: { outputTokens: 0 }, costUsd: 0 },
  {},
);

const draft: fc.Arbitrary<EventDraft> = fc.oneof(
  fc.tuple(small, fc.boolean()).map(([n, steer]): EventDraft => ({
    type: "input.sent",
    inputId: `input${n}`,
    parts: [{ type: "text", text: "x" }],
    ...(steer ? { steer } : undefined),
  })),
  fc
    .tuple(small, small)
    .map(([n, r]): EventDraft => ({ type: "input.joined", inputId: `input${n}`, runId: `run${r}` })),
  fc
    .tuple(small, inputOutcome)
    .map(([n, end]): EventDraft => ({ type: "input.ended", inputId: `input${n}`, outcome: end })),
  fc
    .tuple(small, fc.constantFrom("user" as const, "harness" as const))
    .map(([r, origin]): EventDraft => ({ type: "run.started", runId: `run${r}`, origin })),
  fc.tuple(small, outcome, spent).map(([r, end, told]): EventDraft => ({
    type: "run.ended",
    runId: `run${r}`,
    outcome: end,
    reason: `harness.${end}`,
    ...told,
  })),
  small.map((n): EventDraft => ({
    type: "permission.requested",
    requestId: `ask${n}`,
    options: [],
    native: null,
  })),
  small.map((n): EventDraft => ({
    type: "permission.ended",
    requestId: `ask${n}`,
    outcome: "allowed",
    by: "user",
  })),
  small.map((n): EventDraft => ({
    type: "question.requested",
    requestId: `question${n}`,
    questions: [],
    native: null,
  })),
  small.map((n): EventDraft => ({
    type: "question.ended",
    requestId: `question${n}`,
    outcome: "answered",
    by: "user",
  })),
  fc.tuple(small, fc.constantFrom("agent" as const, "background" as const)).map(([n, kind]): EventDraft => ({
    type: "task.started",
    taskId: `task${n}`,
    kind,
    title: "t".repeat(300),
  })),
  small.map((n): EventDraft => ({ type: "task.ended", taskId: `task${n}`, outcome: "completed" })),
  fc
    .tuple(small, fc.constantFrom("connected" as const, "failed" as const))
    .map(([n, status]): EventDraft => ({
      type: "mcp.updated",
      server: `server${n}`,
      status,
      ...(status === "failed" ? { message: "m".repeat(300) } : undefined),
    })),
  fc.boolean().map((inner): EventDraft => ({
    type: "todo.updated",
    items: [{ text: "x", status: "pending" }],
    ...(inner ? { agent: ["task0"] } : undefined),
  })),
  fc.tuple(small, outcome).map(([n, end]): EventDraft => ({
    type: "turn.ended",
    turnId: `turn${n}`,
    outcome: end,
    reason: "cancelled-while-queued",
  })),
  small.map((n): EventDraft => ({ type: "turn.started", turnId: `turn${n}` })),
  fc.constantFrom<EventDraft>(
    { type: "recovery.started" },
    { type: "recovery.ended" },
    { type: "harness.started", harnessId: "pi", access: "native", connection: 1, resumed: false },
    { type: "harness.ended", reason: "crashed" },
    { type: "session.updated", title: "t" },
    { type: "session.updated", model: "m", mode: "plan" },
  ),
);

/** Any one thing. */
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: small.map((turn): Happening => ({ kind: "queue", turn })) },
  {
    weight: 1,
    arbitrary: outcome.map((end): Happening => ({
      kind: "force",
      verdict: { outcome: end, reason: "host-lost" },
    })),
  },
  { weight: 1, arbitrary: fc.constant<Happening>({ kind: "finish" }) },
  { weight: 12, arbitrary: draft.map((said): Happening => ({ kind: "say", draft: said })) },
);

/** A session in memory: what it has become, and every record it wrote on the way. */
export interface Played {
  readonly progress: SessionProgress;
  readonly events: readonly AgentRuntimeEvent[];
  readonly turns: ReadonlyMap<string, TurnRecord>;
  readonly asks: ReadonlyMap<string, AskRecord>;
}

/** The progress of a session in which nothing has happened. */
export function nothingYet(sessionId: string): SessionProgress {
  return {
    snapshot: emptySnapshot(sessionId),
    state: emptySessionState,
    transcript: emptyProjection(transcript),
  };
}

/** Adds one happening to a draft. */
export function applyHappening(next: SessionDraft, what: Happening): void {
  const { turn } = next.state;
  if (what.kind === "queue") {
    const parts = [{ type: "text" as const, text: "x" }];
    next.say({ type: "turn.queued", turnId: `turn${what.turn}`, inputId: `input${what.turn}`, input: parts });
  } else if (what.kind === "say") next.say(what.draft);
  else if (what.kind === "finish") next.finish("lost");
  else if (turn !== undefined) next.say(...forcedEnds(turn, what.verdict));
}

/** The draft that one happening makes of a session. */
export function step(from: SessionProgress, what: Happening, startNext: boolean): SessionDraft {
  const next = new SessionDraft(from, piAdapter, 1_000);
  applyHappening(next, what);
  next.settle({ startNext });
  return next;
}

/** What a log alone adds up to, as JSON that has been stored and read. */
export function rebuild(events: readonly AgentRuntimeEvent[]): {
  state: SessionState;
  turns: Map<string, TurnRecord>;
  asks: Map<string, AskRecord>;
} {
  let state = emptySessionState;
  const turns = new Map<string, TurnRecord>();
  const asks = new Map<string, AskRecord>();
  for (const event of events) {
    const folded = fold(state, JSON.parse(JSON.stringify(event)) as AgentRuntimeEvent);
    state = folded.state;
    if (folded.turn !== undefined) turns.set(folded.turn.turnId, folded.turn);
    if (folded.ask !== undefined) asks.set(folded.ask.requestId, folded.ask);
  }
  return { state, turns, asks };
}

/** Plays happenings one after another. */
export function play(happenings: readonly Happening[], startNext: boolean): Played {
  let progress = nothingYet("s");
  const events: AgentRuntimeEvent[] = [];
  const turns = new Map<string, TurnRecord>();
  const asks = new Map<string, AskRecord>();
  for (const what of happenings) {
    const next = step(progress, what, startNext);
    progress = next.progress;
    events.push(...next.events);
    for (const turn of next.turns) turns.set(turn.turnId, turn);
    for (const ask of next.asks) asks.set(ask.requestId, ask);
  }
  return { progress, events, turns, asks };
}
