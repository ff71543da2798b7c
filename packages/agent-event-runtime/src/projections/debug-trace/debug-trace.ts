import { type EventHandlers, type Projection, dispatch } from "../../projection/projection.ts";
import { contentLines } from "./content-lines.ts";
import { sessionLines } from "./session-lines.ts";
import { sideLines } from "./side-lines.ts";
import { type DebugTraceState, initialTrace, parseTrace } from "./trace-state.ts";

/**
 * One line of text for each event, for logs and for people who look for a fault: time, seq, type, where it
 * belongs, ids, outcome, and the beginning of what was said. A line of an end tells how long it took. A line
 * has at most 400 characters and none that a terminal would act on. It may quote prompts, output and file
 * names: treat it like the session itself.
 */
export const debugTrace: Projection<DebugTraceState, string> = {
  id: "debug-trace",
  stateVersion: 1,
  initialState: initialTrace,
  parseState: parseTrace,
  project: (state, event) => dispatch(HANDLERS, state, event),
};

const HANDLERS: EventHandlers<DebugTraceState, string> = { ...sessionLines, ...contentLines, ...sideLines };
