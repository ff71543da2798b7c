import { text } from "../../base/read.ts";
import type { AdapterContext, UnsentFrame, WireFrame } from "../../translation/event-adapter.ts";
import { dropUnsent, sendInput } from "./inputs.ts";
import type { PiState } from "./pi-state.ts";
import { answerQuestion, cancelQuestions } from "./questions.ts";
import { dropShell, startShell } from "./shells.ts";
import { type PiStep, silent, strayFrame, unknownFrame } from "./step.ts";

/** Commands that tell nothing by being sent: reads, settings, and those whose effect pi reports. */
const SILENT_COMMANDS: ReadonlySet<string> = new Set([
  "abort_bash",
  "abort_retry",
  "clear_queue",
  "clone",
  "compact",
  "cycle_model",
  "cycle_thinking_level",
  "export_html",
  "fork",
  "get_available_models",
  "get_available_thinking_levels",
  "get_commands",
  "get_entries",
  "get_fork_messages",
  "get_last_assistant_text",
  "get_messages",
  "get_session_stats",
  "get_state",
  "get_tree",
  "new_session",
  "set_auto_compaction",
  "set_auto_retry",
  "set_follow_up_mode",
  "set_model",
  "set_session_name",
  "set_steering_mode",
  "set_thinking_level",
  "switch_session",
]);

/** A frame that the host sends: one RPC command, or the answer to a dialog. */
export function reduceSent(state: PiState, frame: WireFrame, context: AdapterContext): PiStep {
  const { payload, note } = frame;
  const type = text(payload, "type");
  switch (type) {
    case undefined:
      return strayFrame(state, "A frame sent to pi is no command.");
    case "prompt":
    case "steer":
    case "follow_up":
      return sendInput(state, payload, type, context, note);
    case "abort":
      return cancelQuestions(state, note);
    case "bash":
      return startShell(state, payload, context);
    case "extension_ui_response":
      return answerQuestion(state, payload, note);
    default:
      return SILENT_COMMANDS.has(type) ? silent(state) : unknownFrame(state, `commands of type "${type}"`);
  }
}

/** A command that could not be written. The translator reports it, and ends an input that the host named. */
export function reduceUnsent(state: PiState, frame: UnsentFrame): PiStep {
  const { payload, note } = frame.frame;
  switch (text(payload, "type")) {
    case "prompt":
    case "steer":
    case "follow_up":
      return dropUnsent(state, payload, note, frame.reason);
    case "bash":
      return dropShell(state, payload, frame.reason);
    default:
      return silent(state);
  }
}
