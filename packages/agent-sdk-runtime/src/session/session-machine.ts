import {
  combineUsage,
  type AgentRuntimeEvent,
  type EventDraft,
  type EventOf,
} from "@claxedo/agent-event-runtime";
import { statusOf } from "./session-status.ts";
import type { AskRecord, RunningTurn, SessionState, TurnRecord } from "./session-state.ts";

/** The state after an event, and the records that it changed. */
export interface Folded {
  readonly state: SessionState;
  readonly turn?: TurnRecord;
  readonly ask?: AskRecord;
}

/** Folds one event into the state: the only way the state changes. History told again changes nothing. */
export function fold(state: SessionState, event: AgentRuntimeEvent): Folded {
  if (event.replayed) return { state };
  switch (event.type) {
    case "turn.queued":
      return queued(state, event);
    case "turn.started":
      return started(state, event);
    case "turn.ended":
      return ended(state, event);
    case "input.sent":
      return { state: inputSent(state, event) };
    case "input.joined":
      return { state: inTurn(state, (turn) => joined(turn, event)) };
    case "input.ended":
      return { state: inTurn(state, (turn) => inputEnded(turn, event)) };
    case "run.started":
      return { state: runStarted(state, event) };
    case "run.ended":
      return { state: inTurn(withoutRun(state, event.runId), (turn) => runEnded(turn, event)) };
    case "permission.requested":
    case "question.requested":
      return asked(state, event);
    case "permission.ended":
    case "question.ended":
      return answered(state, event);
    case "recovery.started":
      return { state: { ...state, recovering: true } };
    case "recovery.ended":
      return { state: { ...state, recovering: false } };
    case "harness.started":
      return { state: { ...state, connected: true, failing: false } };
    case "harness.ended":
      return { state: { ...state, connected: false } };
    case "session.updated":
      return { state: updated(state, event) };
    case "session.status":
      return { state: { ...state, announced: event.status } };
    case "session.deleted":
      return { state: { ...state, deleted: true } };
    default:
      return { state };
  }
}

/** What must be said now, given the state: the verdict of a turn that is settled, and a status that changed. */
export function consequences(state: SessionState): readonly EventDraft[] {
  if (state.deleted) return [];
  const verdict = state.turn === undefined ? undefined : verdictOf(state.turn);
  if (verdict !== undefined) return [verdict];
  const status = statusOf(state);
  return status === state.announced ? [] : [{ type: "session.status", status }];
}

/** The next queued turn as started, when the session is free to work on it. */
export function nextTurn(state: SessionState): EventDraft | undefined {
  const [next] = state.queue;
  if (next === undefined || state.turn !== undefined || state.recovering || state.deleted) return undefined;
  return { type: "turn.started", turnId: next.turnId };
}

/** A verdict that the runtime gives, by evidence other than the harness's own. */
export type ForcedVerdict = Pick<EventOf<"turn.ended">, "outcome" | "reason" | "error">;

/** What ends the running turn by such evidence: its open runs, the inputs no run took up, the turn itself. */
export function forcedEnds(turn: RunningTurn, verdict: ForcedVerdict): readonly EventDraft[] {
  const told = verdict.error === undefined ? undefined : { error: verdict.error };
  const runs = turn.runs.filter((run) => run.ended === undefined).map((run) => run.runId);
  const loose = turn.inputs.filter(
    ({ sent, outcome, runId }) =>
      sent && outcome === undefined && (runId === undefined || !runs.includes(runId)),
  );
  const input = verdict.outcome === "cancelled" ? "cancelled" : "lost";
  return [
    ...runs.map((runId): EventDraft => ({ type: "run.ended", runId, ...verdict })),
    ...loose.map(({ inputId }): EventDraft => ({ type: "input.ended", inputId, outcome: input, ...told })),
    { type: "turn.ended", turnId: turn.record.turnId, ...verdict, ...totals(turn) },
  ];
}

function queued(state: SessionState, event: EventOf<"turn.queued">): Folded {
  const turn: TurnRecord = {
    turnId: event.turnId,
    inputId: event.inputId,
    ...(event.idempotencyKey === undefined ? undefined : { idempotencyKey: event.idempotencyKey }),
    status: "queued",
    seq: { queued: event.seq },
    time: { queued: event.time },
  };
  return { state: { ...state, queue: [...state.queue, turn] }, turn };
}

function started(state: SessionState, event: EventOf<"turn.started">): Folded {
  const waiting = state.queue.find((turn) => turn.turnId === event.turnId);
  if (waiting === undefined || state.turn !== undefined) return { state };
  const record: TurnRecord = {
    ...waiting,
    status: "running",
    time: { ...waiting.time, started: event.time },
  };
  const turn: RunningTurn = { record, inputs: [{ inputId: record.inputId, sent: false }], runs: [] };
  return { state: { ...withoutQueued(state, event.turnId), turn }, turn: record };
}

function ended(state: SessionState, event: EventOf<"turn.ended">): Folded {
  const running = state.turn?.record.turnId === event.turnId ? state.turn.record : undefined;
  const known = running ?? state.queue.find((turn) => turn.turnId === event.turnId);
  if (known === undefined) return { state };
  const { stopReason, error, usage, costUsd } = event;
  const record: TurnRecord = {
    ...known,
    status: event.outcome,
    reason: event.reason,
    ...(stopReason === undefined ? undefined : { stopReason }),
    ...(error === undefined ? undefined : { error }),
    ...(usage === undefined ? undefined : { usage }),
    ...(costUsd === undefined ? undefined : { costUsd }),
    seq: { ...known.seq, ended: event.seq },
    time: { ...known.time, ended: event.time },
  };
  if (running === undefined) return { state: withoutQueued(state, event.turnId), turn: record };
  const { turn: _, ...rest } = state;
  const failing = event.reason === "harness-start-failed" || (state.failing && event.outcome !== "completed");
  return { state: { ...rest, lastTurn: record, failing }, turn: record };
}

function withoutQueued(state: SessionState, turnId: string): SessionState {
  return { ...state, queue: state.queue.filter((turn) => turn.turnId !== turnId) };
}

function withoutRun(state: SessionState, runId: string): SessionState {
  return { ...state, runs: state.runs.filter((run) => run.runId !== runId) };
}

function inTurn(state: SessionState, change: (turn: RunningTurn) => RunningTurn): SessionState {
  return state.turn === undefined ? state : { ...state, turn: change(state.turn) };
}

/** A run that a user caused is the turn's from its start; the input that joins it may be told a frame later. */
function runStarted(state: SessionState, event: EventOf<"run.started">): SessionState {
  const { runId, origin, turnId } = event;
  const open = { ...state, runs: [...state.runs, { runId, origin }] };
  return inTurn(open, (turn) =>
    turnId === turn.record.turnId ? { ...turn, runs: [...turn.runs, { runId }] } : turn,
  );
}

function inputSent(state: SessionState, event: EventOf<"input.sent">): SessionState {
  if (event.synthetic || event.turnId === undefined) return state;
  return inTurn(state, (turn) => {
    if (turn.record.turnId !== event.turnId) return turn;
    const known = turn.inputs.some((input) => input.inputId === event.inputId);
    if (!known) return { ...turn, inputs: [...turn.inputs, { inputId: event.inputId, sent: true }] };
    return {
      ...turn,
      inputs: turn.inputs.map((input) =>
        input.inputId === event.inputId ? { ...input, sent: true } : input,
      ),
    };
  });
}

function joined(turn: RunningTurn, event: EventOf<"input.joined">): RunningTurn {
  const { inputId, runId } = event;
  if (!turn.inputs.some((input) => input.inputId === inputId)) return turn;
  const inputs = turn.inputs.map((input) => (input.inputId === inputId ? { ...input, runId } : input));
  const known = turn.runs.some((run) => run.runId === runId);
  return { ...turn, inputs, runs: known ? turn.runs : [...turn.runs, { runId }] };
}

function inputEnded(turn: RunningTurn, event: EventOf<"input.ended">): RunningTurn {
  const { outcome, error } = event;
  const inputs = turn.inputs.map((input) =>
    input.inputId === event.inputId
      ? { ...input, outcome, ...(error === undefined ? undefined : { error }) }
      : input,
  );
  return { ...turn, inputs };
}

function runEnded(turn: RunningTurn, event: EventOf<"run.ended">): RunningTurn {
  const { outcome, reason, stopReason, error, usage, costUsd } = event;
  const verdict = {
    outcome,
    reason,
    ...(stopReason === undefined ? undefined : { stopReason }),
    ...(error === undefined ? undefined : { error }),
    ...(usage === undefined ? undefined : { usage }),
    ...(costUsd === undefined ? undefined : { costUsd }),
  };
  return {
    ...turn,
    runs: turn.runs.map((run) => (run.runId === event.runId ? { ...run, ended: verdict } : run)),
  };
}

function asked(state: SessionState, event: EventOf<"permission.requested" | "question.requested">): Folded {
  const ask: AskRecord = {
    requestId: event.requestId,
    kind: event.type === "permission.requested" ? "permission" : "question",
    ...(event.turnId === undefined ? undefined : { turnId: event.turnId }),
    status: "open",
    seq: event.seq,
  };
  return { state: { ...state, asks: [...state.asks, ask] }, ask };
}

function answered(state: SessionState, event: EventOf<"permission.ended" | "question.ended">): Folded {
  const open = state.asks.find((ask) => ask.requestId === event.requestId);
  if (open === undefined) return { state };
  const ask: AskRecord = { ...open, status: "ended", outcome: event.outcome };
  return { state: { ...state, asks: state.asks.filter((known) => known !== open) }, ask };
}

function updated(state: SessionState, event: EventOf<"session.updated">): SessionState {
  const { title, model } = event;
  return {
    ...state,
    ...(title === undefined ? undefined : { title }),
    ...(model === undefined ? undefined : { model }),
  };
}

/** A turn is settled once all its inputs have ended and no run that one of them joined is open. */
function verdictOf(turn: RunningTurn): EventDraft | undefined {
  if (turn.inputs.some((input) => input.outcome === undefined)) return undefined;
  if (turn.runs.some((run) => run.ended === undefined)) return undefined;
  const { turnId } = turn.record;
  const last = turn.runs.at(-1)?.ended;
  if (last === undefined) return { type: "turn.ended", turnId, ...verdictOfInput(turn) };
  const { usage: _, costUsd: __, ...verdict } = last;
  return { type: "turn.ended", turnId, ...verdict, ...totals(turn) };
}

function verdictOfInput(turn: RunningTurn): Pick<EventOf<"turn.ended">, "outcome" | "reason" | "error"> {
  const [first] = turn.inputs;
  const told = first?.error === undefined ? undefined : { error: first.error };
  switch (first?.outcome) {
    case "handled":
    case "known":
    case "answered":
    case "unobserved":
      return { outcome: "completed", reason: `harness.${first.outcome}` };
    case "cancelled":
      return { outcome: "cancelled", reason: "input-cancelled", ...told };
    case "refused":
      return { outcome: "failed", reason: "harness.refused", ...told };
    case "lost":
    case undefined:
      return { outcome: "failed", reason: "input-lost", ...told };
  }
}

/** What the turn's runs used together; a count that no run told stays unknown. */
function totals(turn: RunningTurn): Pick<EventOf<"turn.ended">, "usage" | "costUsd"> {
  const usage = turn.runs
    .map((run) => run.ended?.usage ?? {})
    .reduce((sum, more) => combineUsage(sum, more), {});
  const costs = turn.runs.map((run) => run.ended?.costUsd).filter((cost) => cost !== undefined);
  return {
    ...(Object.keys(usage).length === 0 ? undefined : { usage }),
    ...(costs.length === 0 ? undefined : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
}
