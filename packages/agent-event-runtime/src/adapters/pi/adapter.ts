import { text } from "../../base/read.ts";
import type { AdapterContext, EventAdapter, RawFrame, WireFrame } from "../../translation/event-adapter.ts";
import { reduceSent, reduceUnsent } from "./commands.ts";
import { reduceHistory } from "./history.ts";
import { endHandledInputs, queueUpdated } from "./inputs.ts";
import { messageEnded, messageStarted } from "./messages.ts";
import { parsePiState } from "./parse-state.ts";
import { type PiState, initialPiState } from "./pi-state.ts";
import { expireQuestions, uiRequested } from "./questions.ts";
import { responded } from "./responses.ts";
import * as runs from "./runs.ts";
import { shellUpdated } from "./shells.ts";
import {
  type PiHandler,
  type PiStep,
  inRun,
  says,
  silent,
  strayFrame,
  andThen,
  unknownFrame,
} from "./step.ts";
import { executionEnded, executionStarted, executionUpdated } from "./tools.ts";
import { messageUpdated } from "./updates.ts";

/**
 * Translates pi's RPC protocol (`pi --mode rpc`, versions 0.73 to 1.6), both directions: sent frames
 * are commands, received ones responses and events, one JSON object each. The embedded pi's driver
 * hands on frames of the same form.
 */
export const piAdapter: EventAdapter<PiState> = {
  id: "pi",
  stateVersion: 1,
  initialState: initialPiState,
  parseState: (value, version) => (version === 1 ? parsePiState(value) : undefined),
  reduce: (state, frame, context) =>
    andThen(expireQuestions(state, context.time), (current) => reduceFrame(current, frame, context)),
  // Pi 0.73 has no word for being done: its agent_end stands when nothing can follow any more.
  finish: (state) => (runs.awaitsVerdict(state) ? runs.endRun(state) : silent(state)),
};

function reduceFrame(state: PiState, frame: RawFrame, context: AdapterContext): PiStep {
  switch (frame.kind) {
    case "broken":
      return silent(state); // reported by the translator
    case "quiet":
      return runs.awaitsVerdict(state) ? runs.endRun(state) : endHandledInputs(state);
    case "unsent":
      return reduceUnsent(state, frame);
    case undefined:
      return reduceWire(state, frame, context);
  }
}

function reduceWire(state: PiState, frame: WireFrame, context: AdapterContext): PiStep {
  if (frame.dir === "sent") return reduceSent(state, frame, context);
  if (frame.channel === "history") return reduceHistory(state, frame.payload, context);
  const type = text(frame.payload, "type");
  if (type === undefined) return strayFrame(state, "A frame of pi has no type.");
  const handler = EVENTS.get(type);
  return handler === undefined
    ? unknownFrame(state, `events of type "${type}"`)
    : handler(state, frame.payload, context);
}

const known: PiHandler = (state) => silent(state);

const EVENTS: ReadonlyMap<string, PiHandler> = new Map<string, PiHandler>([
  ["response", responded],
  ["agent_start", runs.agentStarted],
  ["agent_end", runs.agentEnded],
  ["agent_settled", runs.agentSettled],
  ["auto_retry_start", runs.retryStarted],
  ["auto_retry_end", runs.retryEnded],
  ["compaction_start", runs.compactionStarted],
  ["compaction_end", runs.compactionEnded],
  ["message_start", messageStarted],
  ["message_update", messageUpdated],
  ["message_end", messageEnded],
  ["tool_execution_start", executionStarted],
  ["tool_execution_update", executionUpdated],
  ["tool_execution_end", executionEnded],
  ["bash_execution_update", shellUpdated],
  ["queue_update", queueUpdated],
  ["extension_ui_request", uiRequested],
  ["extension_error", extensionFailed],
  ["session_info_changed", renamed],
  ["turn_start", known], // pi's turn is one model call with its tools: its messages tell it
  ["turn_end", known], // repeats the message and its tool results
  ["thinking_level_changed", known], // a setting without a counterpart
  ["entry_appended", known], // bookkeeping of the session file
  ["summarization_retry_scheduled", known], // within a compaction, whose end tells the outcome
  ["summarization_retry_attempt_start", known],
  ["summarization_retry_finished", known],
]);

function extensionFailed(state: PiState, payload: unknown): PiStep {
  const where = text(payload, "extensionPath") ?? "unknown";
  const error = text(payload, "error") ?? "no message";
  const said = `The pi extension ${where.slice(0, 500)} failed: ${error.slice(0, 2000)}`;
  return says(state, { type: "notice.added", level: "error", text: said, ...inRun(state) });
}

function renamed(state: PiState, payload: unknown): PiStep {
  return says(state, { type: "session.updated", title: text(payload, "name") ?? "" });
}
