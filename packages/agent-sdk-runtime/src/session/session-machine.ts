import type { AgentRuntimeEvent, EventDraft, EventOf } from "@claxedo/agent-event-runtime";
import { troubleAfter } from "./resume-plan.ts";
import { statusOf } from "./session-status.ts";
import type {
  AskRecord,
  McpServer,
  OpenTask,
  RunningTurn,
  SessionState,
  TurnRecord,
} from "./session-state.ts";
import {
  inputEnded,
  inputJoined,
  inputSent,
  runEnded,
  runStarted,
  spentWith,
  verdictOf,
} from "./turn-machine.ts";

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
      return turnQueued(state, event);
    case "turn.started":
      return turnStarted(state, event);
    case "turn.ended":
      return turnEnded(state, event);
    case "permission.requested":
    case "question.requested":
      return asked(state, event);
    case "permission.ended":
    case "question.ended":
      return answered(state, event);
    default:
      return { state: folded(state, event) };
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

/** The state after an event that changes no stored record. */
function folded(state: SessionState, event: AgentRuntimeEvent): SessionState {
  switch (event.type) {
    case "input.sent":
      return inTurn(state, (turn) => inputSent(turn, event));
    case "input.joined":
      return inTurn(state, (turn) => inputJoined(turn, event));
    case "input.ended":
      return inTurn(state, (turn) => inputEnded(turn, event));
    case "run.started": {
      const { runId, origin } = event;
      const open = { ...state, runs: [...state.runs, { runId, origin }] };
      return inTurn(open, (turn) => runStarted(turn, event));
    }
    case "run.ended": {
      const runs = state.runs.filter((run) => run.runId !== event.runId);
      return inTurn({ ...state, ...spentWith(state, event), runs }, (turn) => runEnded(turn, event));
    }
    case "task.started":
      return { ...state, tasks: [...(state.tasks ?? []), openTask(event)] };
    case "task.ended":
      return { ...state, tasks: (state.tasks ?? []).filter((task) => task.taskId !== event.taskId) };
    case "mcp.updated":
      return state.connected ? serverTold(state, event) : state;
    case "todo.updated":
      return event.agent === undefined ? { ...state, todoSeq: event.seq } : state;
    case "recovery.started":
      return { ...state, recovering: true };
    case "recovery.ended":
      return { ...state, recovering: false };
    case "harness.started":
      return harnessStarted(state, event);
    case "harness.ended":
      return harnessEnded(state);
    case "session.updated":
      return sessionUpdated(state, event);
    case "session.status":
      return { ...state, announced: event.status };
    case "session.deleted":
      return { ...state, deleted: true };
    default:
      return state;
  }
}

/** A session of the harness that is new has no troubles, and has not proved itself. */
function harnessStarted(state: SessionState, { resumed }: EventOf<"harness.started">): SessionState {
  const up = { ...state, connected: true, failing: false };
  if (resumed) return up;
  const { trouble: _, ...rest } = up;
  return { ...rest, fresh: true };
}

function harnessEnded(state: SessionState): SessionState {
  const { mcp: _, ...rest } = state;
  return { ...rest, connected: false };
}

function turnQueued(state: SessionState, event: EventOf<"turn.queued">): Folded {
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

function turnStarted(state: SessionState, event: EventOf<"turn.started">): Folded {
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

function turnEnded(state: SessionState, event: EventOf<"turn.ended">): Folded {
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
  const { turn: _, trouble: before, fresh, ...rest } = state;
  const completed = event.outcome === "completed";
  const failing = event.reason === "harness-start-failed" || (state.failing && !completed);
  const trouble = troubleAfter(before, event);
  const after = {
    ...rest,
    lastTurn: record,
    failing,
    ...(trouble === undefined ? undefined : { trouble }),
    ...(fresh === undefined || completed ? undefined : { fresh }),
  };
  return { state: after, turn: record };
}

function withoutQueued(state: SessionState, turnId: string): SessionState {
  return { ...state, queue: state.queue.filter((turn) => turn.turnId !== turnId) };
}

function inTurn(state: SessionState, change: (turn: RunningTurn) => RunningTurn): SessionState {
  return state.turn === undefined ? state : { ...state, turn: change(state.turn) };
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

const MAX_TEXT = 200;

function openTask({ taskId, kind, title, callId, agent }: EventOf<"task.started">): OpenTask {
  const parent = agent?.[0];
  return {
    taskId,
    kind,
    ...(title === undefined ? undefined : { title: title.slice(0, MAX_TEXT) }),
    ...(callId === undefined ? undefined : { callId }),
    ...(parent === undefined ? undefined : { parent }),
  };
}

const MAX_SERVERS = 64;

function serverTold(state: SessionState, { server, status, message }: EventOf<"mcp.updated">): SessionState {
  const told: McpServer = {
    server: server.slice(0, MAX_TEXT),
    status,
    ...(message === undefined ? undefined : { message: message.slice(0, MAX_TEXT) }),
  };
  const known = new Map(state.mcp?.map((before) => [before.server, before]));
  return { ...state, mcp: [...known.set(told.server, told).values()].slice(0, MAX_SERVERS) };
}

function sessionUpdated(state: SessionState, event: EventOf<"session.updated">): SessionState {
  const { title, model, mode } = event;
  return {
    ...state,
    ...(title === undefined ? undefined : { title }),
    ...(model === undefined ? undefined : { model }),
    ...(mode === undefined ? undefined : { mode }),
  };
}
