import type { EventOf } from "../../event/agent-runtime-event.ts";
import type { PermissionRow, QuestionRow, TaskRow } from "./rows.ts";
import {
  type TranscriptState,
  type TranscriptStep,
  close,
  frameOf,
  keep,
  openRow,
  quietly,
} from "./transcript-state.ts";

/** The harness asks for permission. */
export function permissionRequested(
  state: TranscriptState,
  event: EventOf<"permission.requested">,
): TranscriptStep {
  const { requestId, callId, title, options } = event;
  const row: PermissionRow = {
    ...frameOf(event, `permission:${requestId}`),
    type: "permission",
    requestId,
    options,
    ...(callId === undefined ? undefined : { callId }),
    ...(title === undefined ? undefined : { title }),
  };
  return quietly(keep(state, row));
}

/** Somebody answered, or nobody can any more. */
export function permissionEnded(state: TranscriptState, event: EventOf<"permission.ended">): TranscriptStep {
  const row = openRow(state, `permission:${event.requestId}`, "permission");
  if (row === undefined) return quietly(state);
  const { outcome, by, scope } = event;
  return close(state, { ...row, outcome, by, ...(scope === undefined ? undefined : { scope }) }, event.time);
}

/** The harness asks a question. */
export function questionRequested(
  state: TranscriptState,
  event: EventOf<"question.requested">,
): TranscriptStep {
  const { requestId, callId, questions } = event;
  const row: QuestionRow = {
    ...frameOf(event, `question:${requestId}`),
    type: "question",
    requestId,
    questions,
    ...(callId === undefined ? undefined : { callId }),
  };
  return quietly(keep(state, row));
}

/** Somebody answered, or nobody can any more. */
export function questionEnded(state: TranscriptState, event: EventOf<"question.ended">): TranscriptStep {
  const row = openRow(state, `question:${event.requestId}`, "question");
  if (row === undefined) return quietly(state);
  const { outcome, by, answers } = event;
  return close(
    state,
    { ...row, outcome, by, ...(answers === undefined ? undefined : { answers }) },
    event.time,
  );
}

/** A subagent or background work begins. */
export function taskStarted(state: TranscriptState, event: EventOf<"task.started">): TranscriptStep {
  const { taskId, kind, callId, title } = event;
  const row: TaskRow = {
    ...frameOf(event, `task:${taskId}`),
    type: "task",
    taskId,
    kind,
    ...(callId === undefined ? undefined : { callId }),
    ...(title === undefined ? undefined : { title }),
  };
  return quietly(keep(state, row));
}

/** News of a task. */
export function taskUpdated(state: TranscriptState, event: EventOf<"task.updated">): TranscriptStep {
  const row = openRow(state, `task:${event.taskId}`, "task");
  if (row === undefined || event.summary === undefined) return quietly(state);
  return quietly(keep(state, { ...row, summary: event.summary }));
}

/** A task is over. */
export function taskEnded(state: TranscriptState, event: EventOf<"task.ended">): TranscriptStep {
  const row = openRow(state, `task:${event.taskId}`, "task");
  if (row === undefined) return quietly(state);
  const { outcome, summary } = event;
  return close(state, { ...row, outcome, ...(summary === undefined ? undefined : { summary }) }, event.time);
}
