import type { AdapterContext, Reduction } from "../../translation/event-adapter.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { PiState } from "./pi-state.ts";

/** The next state and the events on the way to it. */
export type PiStep = Reduction<PiState>;

/** What a handler gets: the state before, the payload of the frame, and where the frame stands. */
export type PiHandler = (state: PiState, payload: unknown, context: AdapterContext) => PiStep;

/** The state, and these events. */
export function says(state: PiState, ...events: readonly EventDraft[]): PiStep {
  return { state, events };
}

/** A frame that is known and says nothing that views need. */
export function silent(state: PiState): PiStep {
  return { state, events: [] };
}

/** First one step, then another from where it led. */
export function andThen(first: PiStep, next: (state: PiState) => PiStep): PiStep {
  const second = next(first.state);
  return first.events.length === 0
    ? second
    : { state: second.state, events: [...first.events, ...second.events] };
}

/** One step for each item, in order. */
export function each<Item>(
  from: PiStep,
  items: readonly Item[],
  next: (state: PiState, item: Item) => PiStep,
): PiStep {
  return items.reduce((step, item) => andThen(step, (state) => next(state, item)), from);
}

/** A frame of a kind that this adapter does not know. */
export function unknownFrame(state: PiState, what: string): PiStep {
  const message = `The pi adapter does not know ${what.slice(0, 200)}; the frame was skipped.`;
  return says(state, { type: "diagnostic", code: "frame.unknown", severity: "warning", message });
}

/** A frame of a known kind that makes no sense here. */
export function strayFrame(state: PiState, message: string): PiStep {
  return says(state, { type: "diagnostic", code: "pi.stray-frame", severity: "warning", message });
}

/** The run that new work belongs to, for a draft's envelope. */
export function inRun(state: PiState): { readonly runId?: string } {
  return state.run === null ? {} : { runId: state.run.runId };
}
