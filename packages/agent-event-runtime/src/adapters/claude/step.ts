import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { AdapterContext, Reduction } from "../../translation/event-adapter.ts";
import type { ClaudeState } from "./claude-state.ts";

/** The next state and the events on the way to it. */
export type ClaudeStep = Reduction<ClaudeState>;

/** What a handler gets: the state before, the payload of the frame, and where the frame stands. */
export type ClaudeHandler = (state: ClaudeState, payload: unknown, context: AdapterContext) => ClaudeStep;

/** The state, and these events. */
export function says(state: ClaudeState, ...events: readonly EventDraft[]): ClaudeStep {
  return { state, events };
}

/** A frame that is known and says nothing that views need. */
export function silent(state: ClaudeState): ClaudeStep {
  return { state, events: [] };
}

/** First one step, then another from where it led. */
export function andThen(first: ClaudeStep, next: (state: ClaudeState) => ClaudeStep): ClaudeStep {
  const second = next(first.state);
  if (first.events.length === 0) return second;
  return { state: second.state, events: [...first.events, ...second.events] };
}

/** One step for each item, in order. */
export function each<Item>(
  from: ClaudeStep,
  items: readonly Item[],
  next: (state: ClaudeState, item: Item) => ClaudeStep,
): ClaudeStep {
  return items.reduce((step, item) => andThen(step, (state) => next(state, item)), from);
}

/** A frame of a kind that this adapter does not know. */
export function unknownFrame(state: ClaudeState, what: string): ClaudeStep {
  const message = `The claude adapter does not know ${what.slice(0, 200)}; the frame was skipped.`;
  return says(state, { type: "diagnostic", code: "frame.unknown", severity: "warning", message });
}

/** A frame of a known kind that makes no sense here. */
export function strayFrame(state: ClaudeState, message: string): ClaudeStep {
  return says(state, { type: "diagnostic", code: "claude.stray-frame", severity: "info", message });
}
