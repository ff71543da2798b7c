import type { Json } from "../../base/json.ts";
import { type KeyedList, assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, number, text } from "../../base/read.ts";
import type { AgentRuntimeEvent } from "../../event/agent-runtime-event.ts";
import type { Projected } from "../../projection/projection.ts";
import { type Field, fact, line, milliseconds, word } from "./trace-line.ts";

/** A part of a message that grows. */
type OpenPart = { readonly messageId: string; readonly opened: number };

/** Since when what is open is open. */
export type DebugTraceState = {
  /** By `kind:id`. */
  readonly open: KeyedList<number>;
  /** By part id. */
  readonly parts: KeyedList<OpenPart>;
};

/** What one event does to the trace: its line. */
export type TraceStep = Projected<DebugTraceState, string>;

/** The trace of a session in which nothing has happened. */
export const initialTrace: DebugTraceState = { open: [], parts: [] };

/** The event as a line, and nothing else. */
export function tell(state: DebugTraceState, event: AgentRuntimeEvent, fields: readonly Field[]): TraceStep {
  return { state, output: [line(event, fields)] };
}

/** What opens and ends; with each kind the name of its id, unless the id stands in every line anyway. */
const ID_NAMES = {
  recovery: undefined,
  harness: undefined,
  turn: undefined,
  run: undefined,
  input: "input",
  message: "message",
  tool: "call",
  permission: "request",
  question: "request",
  task: "task",
  compaction: "compaction",
} as const;

/** A thing that opens and ends. Connections and recoveries are told apart by nothing: their id is `""`. */
export type Thing = readonly [kind: keyof typeof ID_NAMES, id: string];

/** The event opens something. */
export function start(
  state: DebugTraceState,
  event: AgentRuntimeEvent,
  thing: Thing,
  fields: readonly Field[],
): TraceStep {
  const open = assign(state.open, thing.join(":"), event.time);
  return tell({ ...state, open }, event, [idOf(thing), ...fields]);
}

/** The event ends something: the line tells how long it took, if its start was seen. */
export function end(
  state: DebugTraceState,
  event: AgentRuntimeEvent & { readonly outcome?: string },
  thing: Thing,
  fields: readonly Field[],
): TraceStep {
  const took = milliseconds("took", since(state, event, thing));
  const next = { ...state, open: omit(state.open, thing.join(":")) };
  return tell(next, event, [idOf(thing), word(event.outcome), took, ...fields]);
}

/** How long ago the thing opened. */
export function since(state: DebugTraceState, event: AgentRuntimeEvent, thing: Thing): number | undefined {
  const opened = lookup(state.open, thing.join(":"));
  return opened === undefined ? undefined : event.time - opened;
}

function idOf([kind, id]: Thing): Field {
  const name = ID_NAMES[kind];
  return name === undefined ? undefined : fact(name, id);
}

/** The stored state, or `undefined` when it is not of this shape. */
export function parseTrace(value: Json, version: number): DebugTraceState | undefined {
  if (version !== 1) return undefined;
  const [open, parts] = [field(value, "open"), field(value, "parts")];
  const times = isKeyed(open, (item) => typeof item === "number");
  const places = isKeyed(
    parts,
    (item) => text(item, "messageId") !== undefined && number(item, "opened") !== undefined,
  );
  return times && places
    ? { open: open as DebugTraceState["open"], parts: parts as DebugTraceState["parts"] }
    : undefined;
}

function isKeyed(value: unknown, fits: (item: unknown) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string" && fits(entry[1]),
    )
  );
}
