import type { Json, Plain } from "../../base/json.ts";
import { type KeyedList, assign, lookup, omit } from "../../base/keyed-list.ts";
import type { EventEnvelope } from "../../event/agent-runtime-event.ts";
import { field, number, record, text } from "../../base/read.ts";
import type { Projected } from "../../projection/projection.ts";
import type { RowFrame, TranscriptRow } from "./rows.ts";

/** A message under way: which input it echoes, if it is a user's. */
export type OpenMessage = {
  readonly role: "user" | "assistant" | "system";
  readonly inputId?: string;
};

/** What the transcript remembers between events: the rows that are not whole yet, and what leads to them. */
export type TranscriptState = {
  /** By row id, in order of opening. */
  readonly open: KeyedList<Plain<TranscriptRow>>;
  readonly messages: KeyedList<OpenMessage>;
  /** When the open turns were queued. */
  readonly turns: KeyedList<number>;
  /** Inputs that ended last: a late echo makes no second row. */
  readonly endedInputs: readonly string[];
};

/** What one event does to the transcript. */
export type TranscriptStep = Projected<TranscriptState, TranscriptRow>;

/** The transcript of a session in which nothing has happened. */
export const initialTranscript: TranscriptState = { open: [], messages: [], turns: [], endedInputs: [] };

/** An event that this view does not show, or only remembers. */
export function quietly(state: TranscriptState): TranscriptStep {
  return { state, output: [] };
}

/** A row that is whole at once. */
export function write(state: TranscriptState, row: TranscriptRow): TranscriptStep {
  return { state, output: [row] };
}

/** The state with the row open, replacing the open row of that id. */
export function keep(state: TranscriptState, row: TranscriptRow): TranscriptState {
  return { ...state, open: assign(state.open, row.rowId, row) };
}

/** The row is whole: it is written and leaves the state. */
export function close(state: TranscriptState, row: TranscriptRow, time: number): TranscriptStep {
  const whole = { ...row, time: { ...row.time, completed: time } };
  return { state: { ...state, open: omit(state.open, row.rowId) }, output: [whole] };
}

/** Closes every open row that the callback answers a whole row for. */
export function closeEach(
  state: TranscriptState,
  whole: (row: TranscriptRow) => TranscriptRow | undefined,
  time: number,
): TranscriptStep {
  let next = state;
  const output: TranscriptRow[] = [];
  for (const [, row] of state.open) {
    const ended = whole(row);
    if (ended === undefined) continue;
    const step = close(next, ended, time);
    next = step.state;
    output.push(...step.output);
  }
  return { state: next, output };
}

/** The open row of that id, if it is of that type. */
export function openRow<Type extends TranscriptRow["type"]>(
  state: TranscriptState,
  rowId: string,
  type: Type,
): Extract<TranscriptRow, { readonly type: Type }> | undefined {
  const row: TranscriptRow | undefined = lookup(state.open, rowId);
  return row?.type === type ? (row as Extract<TranscriptRow, { readonly type: Type }>) : undefined;
}

/** The part of a row that comes from the event that opens it. */
export function frameOf(event: EventEnvelope, rowId: string): RowFrame {
  return {
    rowId,
    ordinal: event.seq,
    ...(event.turnId === undefined ? undefined : { turnId: event.turnId }),
    ...(event.runId === undefined ? undefined : { runId: event.runId }),
    ...(event.agent === undefined ? undefined : { agent: event.agent }),
    time: { created: event.time },
  };
}

/** The same for a row that is whole with its first event. */
export function wholeFrameOf(event: EventEnvelope, rowId: string): RowFrame {
  return { ...frameOf(event, rowId), time: { created: event.time, completed: event.time } };
}

/** The stored state, or `undefined` when it is not of this shape. Rows are ours, so their inside is taken as it is. */
export function parseTranscript(value: Json, version: number): TranscriptState | undefined {
  if (version !== 1) return undefined;
  const open = entries(field(value, "open"), isRow);
  const messages = entries(field(value, "messages"), isMessage);
  const turns = entries(field(value, "turns"), (item) => typeof item === "number");
  const endedInputs = field(value, "endedInputs");
  if (open === undefined || messages === undefined || turns === undefined) return undefined;
  if (!Array.isArray(endedInputs) || !endedInputs.every((id) => typeof id === "string")) return undefined;
  return {
    open: open as TranscriptState["open"],
    messages: messages as TranscriptState["messages"],
    turns: turns as TranscriptState["turns"],
    endedInputs,
  };
}

function entries(value: unknown, fits: (item: unknown) => boolean): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const sound = value.every(
    (entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string" && fits(entry[1]),
  );
  return sound ? value : undefined;
}

function isRow(value: unknown): boolean {
  return (
    text(value, "rowId") !== undefined &&
    text(value, "type") !== undefined &&
    number(value, "ordinal") !== undefined &&
    record(field(value, "time")) !== undefined
  );
}

function isMessage(value: unknown): boolean {
  const role = text(value, "role");
  return role === "user" || role === "assistant" || role === "system";
}
