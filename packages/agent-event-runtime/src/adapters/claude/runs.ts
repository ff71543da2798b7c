import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeRun, ClaudeState } from "./claude-state.ts";
import { isNamed, joinWaiting } from "./inputs.ts";
import { type ClaudeStep, andThen, says, silent } from "./step.ts";

/** The run that is open, or a new one that this frame opens. `uuids`: the inputs that the frame names. */
export function ensureRun(state: ClaudeState, context: AdapterContext, uuids: readonly string[]): ClaudeStep {
  return state.run === null ? openRun(state, context, originOf(state, uuids)) : silent(state);
}

/** Opens a run, which inputs without a name join. */
export function openRun(state: ClaudeState, context: AdapterContext, origin: "user" | "harness"): ClaudeStep {
  const runId = `r${context.frame}`;
  const run: ClaudeRun = { runId, origin, interrupted: false, worked: false, notified: false };
  const opened = says({ ...state, run, lastRow: null }, started(runId, origin));
  const joined = andThen(opened, origin === "user" ? joinWaiting : silent);
  return joined.state.begun ? joined : { ...joined, state: { ...joined.state, begun: true } };
}

/** The event that opens a run. */
export function started(
  runId: string,
  origin: "user" | "harness",
): {
  readonly type: "run.started";
  readonly runId: string;
  readonly origin: "user" | "harness";
  readonly cause?: string;
} {
  return {
    type: "run.started",
    runId,
    origin,
    ...(origin === "harness" ? { cause: "task-notification" } : undefined),
  };
}

/** Without a named input, the run is of background work that has ended, or of an input without a name. */
function originOf(state: ClaudeState, uuids: readonly string[]): "user" | "harness" {
  if (uuids.length > 0) return "user";
  if (state.notified > 0) return "harness";
  const waits = state.inputs.some((input) => !input.joined && !isNamed(state, input));
  return !waits && state.lifecycles === true ? "harness" : "user";
}

/** The open run, changed. */
export function amendRun(state: ClaudeState, facts: Partial<ClaudeRun>): ClaudeState {
  return state.run === null ? state : { ...state, run: { ...state.run, ...facts } };
}
