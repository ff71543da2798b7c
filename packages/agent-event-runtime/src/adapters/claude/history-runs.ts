import { flag } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeHistory, ClaudeInput, ClaudeState } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { asResult, inputsOf } from "./history-rows.ts";
import { joinNamed } from "./inputs.ts";
import { endRun } from "./results.ts";
import { openRun } from "./runs.ts";
import { type ClaudeStep, andThen, silent } from "./step.ts";

/** Before the first row of a run. */
export const BEGINNING: ClaudeHistory = { known: true, end: "open", counted: null, usage: {} };

/** The state with more known of the history. */
export function withHistory(state: ClaudeState, news: Partial<ClaudeHistory>): ClaudeState {
  return { ...state, history: { ...(state.history ?? BEGINNING), ...news } };
}

/** The log holds the rows up to the last that it has seen, and those before the prompts that it waits for. */
export function isKnown(state: ClaudeState): boolean {
  return state.history?.known !== false;
}

/** The row tells nothing new; what comes after the last that the log has seen does. */
export function skipped(state: ClaudeState, row: unknown): ClaudeStep {
  const isLast = state.lastRow !== null && idOf(row, "uuid") === state.lastRow;
  return silent(isLast ? withHistory(state, { known: false }) : state);
}

/** A prompt: that of the open run, of an input that waits, or one that is over or none of ours. */
export function prompted(state: ClaudeState, row: unknown, context: AdapterContext): ClaudeStep {
  const uuids = inputsOf(row);
  const ours = oursOf(state, row);
  if (ours.some((input) => input.joined)) {
    return joinNamed(withHistory(state, { ...BEGINNING, known: state.lastRow !== null }), uuids);
  }
  if (ours.length === 0) {
    return isKnown(state) ? skipped(withHistory(state, BEGINNING), row) : passed(state, context);
  }
  const begun = andThen(passed(state, context), (left) => openRun(left, context, "user"));
  return andThen(begun, (open) => joinNamed(open, uuids));
}

/** The inputs of ours that the prompt is made of. */
export function oursOf({ inputs }: ClaudeState, row: unknown): readonly ClaudeInput[] {
  const uuids = inputsOf(row);
  return inputs.filter(({ uuid }) => uuid !== null && uuids.includes(uuid));
}

/** Another prompt follows: the open run is over, and rows that the log has not seen begin. */
export function passed(state: ClaudeState, context: AdapterContext): ClaudeStep {
  const { state: left, events } = settled(state, context);
  // Rows name their inputs, whatever the frames of this CLI do.
  const named = { ...left, lifecycles: true };
  return { state: withHistory(named, { ...BEGINNING, known: false }), events };
}

/** `history.end`: a record that ends before what the log has seen does not know how the run ended. */
export function endHistory(state: ClaudeState, row: unknown, context: AdapterContext): ClaudeStep {
  const whole = flag(row, "complete") === true && !isKnown(state);
  const step = whole && endOf(state) !== "open" ? settled(state, context) : silent(state);
  return { ...step, state: { ...step.state, history: null } };
}

/** What the record shows of the end of the open run. With a call open, or nothing printed, there is more to come. */
function endOf({ run, history, tools }: ClaudeState): ClaudeHistory["end"] {
  const end = history?.end ?? "open";
  const waits = tools.some(([, tool]) => tool.runId === run?.runId && tool.agent.length === 0);
  return end === "command" || (end === "answered" && waits) ? "open" : end;
}

/** Ends the open run as the record says. */
function settled(state: ClaudeState, context: AdapterContext): ClaudeStep {
  if (state.run === null) return silent(state);
  return endRun(state, asResult(state, endOf(state), state.history?.usage ?? {}), context);
}
