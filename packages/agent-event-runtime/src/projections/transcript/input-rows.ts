import { assign, omit } from "../../base/keyed-list.ts";
import type { EventEnvelope, EventOf } from "../../event/agent-runtime-event.ts";
import type { InputPart } from "../../event/event-values.ts";
import type { InputRow } from "./rows.ts";
import {
  type TranscriptState,
  type TranscriptStep,
  close,
  closeEach,
  frameOf,
  keep,
  openRow,
  quietly,
} from "./transcript-state.ts";

const REMEMBERED_INPUTS = 64;

function rowIdOf(inputId: string): string {
  return `input:${inputId}`;
}

/** The row of a user message that no input of ours caused. */
function messageRowId(messageId: string): string {
  return `message:${messageId}`;
}

/** A turn is queued: its input is the first thing to see of it. */
export function turnQueued(state: TranscriptState, event: EventOf<"turn.queued">): TranscriptStep {
  const queued = { ...state, turns: assign(state.turns, event.turnId, event.time) };
  return tell(queued, event, { inputId: event.inputId, parts: event.input, status: "queued" });
}

/** A turn is over: its row is the verdict, and an input that was never sent goes with it. */
export function turnEnded(state: TranscriptState, event: EventOf<"turn.ended">): TranscriptStep {
  const { turnId, outcome, reason, error, usage, costUsd } = event;
  const status = outcome === "cancelled" ? "cancelled" : "lost";
  const unsent = closeEach(
    state,
    (row) =>
      row.type === "input" && row.turnId === turnId && row.status === "queued"
        ? { ...row, status }
        : undefined,
    event.time,
  );
  const created = state.turns.find(([id]) => id === turnId)?.[1] ?? event.time;
  const row = {
    ...frameOf(event, `turn:${turnId}`),
    turnId,
    type: "turn",
    outcome,
    reason,
    ...(error === undefined ? undefined : { error }),
    ...(usage === undefined ? undefined : { usage }),
    ...(costUsd === undefined ? undefined : { costUsd }),
    time: { created, completed: event.time },
  } as const;
  return { state: { ...unsent.state, turns: omit(state.turns, turnId) }, output: [...unsent.output, row] };
}

/** An input goes to the harness. */
export function inputSent(state: TranscriptState, event: EventOf<"input.sent">): TranscriptStep {
  const { inputId, parts, steer, synthetic } = event;
  return tell(state, event, {
    inputId,
    parts,
    status: "sent",
    ...(steer === undefined ? undefined : { steer }),
    ...(synthetic === undefined ? undefined : { synthetic }),
  });
}

/** The row learns which run took it up. */
export function inputJoined(state: TranscriptState, event: EventOf<"input.joined">): TranscriptStep {
  const row = openRow(state, rowIdOf(event.inputId), "input");
  return quietly(row === undefined ? state : keep(state, { ...row, runId: event.runId }));
}

/** The row is whole. */
export function inputEnded(state: TranscriptState, event: EventOf<"input.ended">): TranscriptStep {
  const { inputId, outcome, error } = event;
  const endedInputs = [...state.endedInputs.filter((id) => id !== inputId), inputId].slice(
    -REMEMBERED_INPUTS,
  );
  const row = openRow(state, rowIdOf(inputId), "input");
  if (row === undefined) return quietly({ ...state, endedInputs });
  const ended = { ...row, status: outcome, ...(error === undefined ? undefined : { error }) };
  return close({ ...state, endedInputs }, ended, event.time);
}

/** A user's message: the echo of an input, or one that the host did not send. */
export function userMessage(state: TranscriptState, event: EventOf<"message.started">): TranscriptStep {
  const { inputId, synthetic } = event;
  if (inputId !== undefined) return tell(state, event, { inputId, parts: [], status: "sent" });
  const row: InputRow = {
    ...frameOf(event, messageRowId(event.messageId)),
    type: "input",
    parts: [],
    status: "known",
    ...(synthetic === undefined ? undefined : { synthetic }),
  };
  return quietly(keep(state, row));
}

/** A part of a user's message, where nothing has told it yet. */
export function userPart(
  state: TranscriptState,
  messageId: string,
  inputId: string | undefined,
  part: InputPart,
): TranscriptState {
  const row = openRow(state, inputId === undefined ? messageRowId(messageId) : rowIdOf(inputId), "input");
  if (row === undefined || row.parts.some((known) => same(known, part))) return state;
  return keep(state, { ...row, parts: [...row.parts, part] });
}

/** A user's message is over; where no input stands behind it, so is its row. */
export function userMessageEnded(state: TranscriptState, messageId: string, time: number): TranscriptStep {
  const row = openRow(state, messageRowId(messageId), "input");
  return row === undefined ? quietly(state) : close(state, row, time);
}

type Told = Pick<InputRow, "parts" | "status" | "steer" | "synthetic"> & { readonly inputId: string };

/** Whoever speaks of an input first makes its row, which is written at once; the others fill it. */
function tell(state: TranscriptState, event: EventEnvelope, told: Told): TranscriptStep {
  if (state.endedInputs.includes(told.inputId)) return quietly(state);
  const known = openRow(state, rowIdOf(told.inputId), "input");
  if (known === undefined) {
    const row: InputRow = { ...frameOf(event, rowIdOf(told.inputId)), type: "input", ...told };
    return { state: keep(state, row), output: [row] };
  }
  const parts = known.parts.length === 0 ? told.parts : known.parts;
  const turnId = known.turnId ?? event.turnId;
  const filled: InputRow = { ...known, ...told, parts, ...(turnId === undefined ? undefined : { turnId }) };
  return quietly(keep(state, filled));
}

/** The echo of a command is text. */
function same(one: InputPart, other: InputPart): boolean {
  if (one.type === "image") return other.type === "image" && one.data === other.data;
  return other.type !== "image" && one.text === other.text;
}
