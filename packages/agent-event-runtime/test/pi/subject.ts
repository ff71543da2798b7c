import { field, text } from "../../src/base/read.ts";
import { type RawFrame, piAdapter } from "../../src/index.ts";
import type { AdapterSubject } from "../../src/testing/index.ts";
import { caseNames, recording } from "./recordings.ts";

/** The pi adapter and its recordings, for the laws. */
export const piSubject: AdapterSubject = {
  adapter: () => piAdapter,
  recordings: caseNames.map(recording),
  kindOf,
  silent: new Set([
    "quiet",
    "sent abort",
    "sent abort_bash",
    "sent abort_retry",
    "sent clear_queue",
    "sent compact",
    "sent cycle_model",
    "sent get_commands",
    "sent get_last_assistant_text",
    "sent get_messages",
    "sent get_session_stats",
    "sent get_state",
    "sent set_auto_retry",
    "sent set_model",
    "response abort",
    "response abort_bash",
    "response abort_retry",
    "response follow_up",
    "response get_commands",
    "response get_last_assistant_text",
    "response get_messages",
    "response get_session_stats",
    "response get_state",
    "response prompt",
    "response set_auto_retry",
    "response steer",
    "agent_start",
    "agent_end",
    "auto_retry_end",
    "entry_appended",
    "queue_update",
    "turn_start",
    "turn_end",
    "thinking_level_changed",
    "message_start system",
    "message_end system",
    "message_start toolResult",
    "message_end toolResult",
    "message_update text_start",
    "message_update thinking_start",
    "message_update toolcall_delta",
    "tool_execution_start",
    "tool_execution_update",
    "extension_ui_request setStatus",
    "extension_ui_request setWidget",
    "extension_ui_request setTitle",
    "extension_ui_request set_editor_text",
  ]),
  vocabulary: {
    types: [
      "prompt",
      "steer",
      "follow_up",
      "abort",
      "bash",
      "clear_queue",
      "response",
      "agent_start",
      "agent_end",
      "agent_settled",
      "auto_retry_start",
      "auto_retry_end",
      "compaction_start",
      "compaction_end",
      "message_start",
      "message_update",
      "message_end",
      "tool_execution_start",
      "tool_execution_update",
      "tool_execution_end",
      "bash_execution_update",
      "queue_update",
      "extension_ui_request",
      "extension_ui_response",
      "extension_error",
      "session_info_changed",
      "message",
      "end",
    ],
    fields: [
      "message",
      "assistantMessageEvent",
      "success",
      "command",
      "data",
      "error",
      "willRetry",
      "aborted",
      "attempt",
      "reason",
      "result",
      "partialResult",
      "args",
      "toolName",
      "isError",
      "delta",
      "steering",
      "followUp",
      "method",
      "timeout",
      "options",
      "streamingBehavior",
      "images",
      "name",
      "complete",
      "index",
    ],
  },
};

function kindOf(frame: RawFrame): string {
  if (frame.kind !== undefined) return frame.kind;
  const { payload } = frame;
  const type = text(payload, "type") ?? "";
  return [frame.dir === "sent" ? "sent" : undefined, type, detailOf(type, payload)]
    .filter((word) => word !== undefined)
    .join(" ");
}

function detailOf(type: string, payload: unknown): string | undefined {
  switch (type) {
    case "response":
      return text(payload, "command");
    case "message_start":
    case "message_end":
      return text(field(payload, "message"), "role");
    case "message_update":
      return text(field(payload, "assistantMessageEvent"), "type");
    case "extension_ui_request":
      return text(payload, "method");
    default:
      return undefined;
  }
}
