import type { Json } from "../base/json.ts";
import type { AgentRuntimeEvent, EventOf, EventType } from "../event/agent-runtime-event.ts";

/** The result of one event: the next state, and what views must write. */
export interface Projected<State, Output> {
  readonly state: State;
  readonly output: readonly Output[];
}

/**
 * Folds canonical events into one output format: pure, total, resumable. `project` gets every event
 * once and in order; what is finished leaves the state, so that it stays small.
 */
export interface Projection<State extends Json = Json, Output = unknown> {
  readonly id: string;
  readonly stateVersion: number;
  readonly initialState: State;
  /** The stored state as this version's, or `undefined` when it cannot be used: rebuild from seq 1. */
  parseState(value: Json, version: number): State | undefined;
  project(state: State, event: AgentRuntimeEvent): Projected<State, Output>;
}

/** One handler for each event type: a new type does not compile until every view says what it means. */
export type EventHandlers<State, Output> = {
  readonly [Type in EventType]: (state: State, event: EventOf<Type>) => Projected<State, Output>;
};

/** Calls the handler that belongs to the event. A type that this version does not know changes nothing. */
export function dispatch<State, Output>(
  handlers: EventHandlers<State, Output>,
  state: State,
  event: AgentRuntimeEvent,
): Projected<State, Output> {
  if (!Object.hasOwn(handlers, event.type)) return { state, output: [] };
  // Sound by the construction of EventHandlers; TypeScript cannot relate the two unions.
  const handler = handlers[event.type] as (
    state: State,
    event: AgentRuntimeEvent,
  ) => Projected<State, Output>;
  return handler(state, event);
}
