import { type RawFrame, claudeAdapter } from "../../../src/index.ts";
import type { AdapterSubject } from "../../../src/testing/index.ts";
import { caseNames, recording } from "./recordings.ts";

/** The claude adapter and its recordings, for the laws. */
export const claudeSubject: AdapterSubject = {
  adapter: () => claudeAdapter,
  recordings: caseNames.map(recording),
  kindOf,
  silent: new Set([
    "sent control_request background_tasks",
    "sent control_request generate_session_title",
    "sent control_request initialize",
    "sent control_request interrupt",
    "sent control_request list_permission_rules",
    "sent control_request mcp_status",
    "sent control_request rename_session",
    "sent control_request set_model",
    "sent control_request set_permission_mode",
    "assistant",
    "command_lifecycle cancelled",
    "command_lifecycle completed",
    "command_lifecycle queued",
    "control_cancel_request",
    "control_response success",
    "conversation_reset",
    "history assistant",
    "history attachment",
    "history history.end",
    "history queue-operation",
    "history user",
    "stream_event content_block_delta",
    "stream_event content_block_start",
    "stream_event content_block_stop",
    "stream_event message_delta",
    "system background_tasks_changed",
    "system hook_response",
    "system hook_started",
    "system init",
    "system permission_denied",
    "system session_state_changed",
    "system status",
    "system task_notification",
    "system task_started",
    "system task_updated",
    "system thinking_tokens",
    "user",
  ]),
  vocabulary: {
    types: [
      "assistant",
      "attachment",
      "auth_status",
      "command_lifecycle",
      "control_cancel_request",
      "control_request",
      "control_response",
      "conversation_reset",
      "history.end",
      "keep_alive",
      "rate_limit_event",
      "result",
      "stream_event",
      "system",
      "user",
    ],
    fields: [
      "agent_id",
      "api_message_id",
      "attachment",
      "command_uuid",
      "complete",
      "content",
      "errors",
      "event",
      "is_error",
      "isApiErrorMessage",
      "isMeta",
      "isReplay",
      "isSynthetic",
      "mcp_servers",
      "mergedSendUuids",
      "message",
      "modelUsage",
      "num_turns",
      "origin",
      "parent_tool_use_id",
      "patch",
      "request",
      "request_id",
      "response",
      "result",
      "session_id",
      "state",
      "status",
      "structured_output",
      "subtype",
      "summary",
      "task_id",
      "tasks",
      "terminal_reason",
      "tool_result_meta",
      "tool_use_id",
      "toolUseResult",
      "tool_use_result",
      "usage",
      "user_message_uuids",
      "uuid",
    ],
  },
};

/** Names a frame by its type, and by what tells its kinds apart. */
function kindOf(frame: RawFrame): string {
  if (frame.kind !== undefined) return frame.kind;
  const payload = frame.payload as Record<string, unknown> | null;
  const type = String(payload?.["type"]);
  const detail = (key: string, inner: string): string =>
    String((payload?.[key] as Record<string, unknown> | undefined)?.[inner]);
  const side = frame.dir === "sent" ? "sent " : frame.channel === "" ? "" : `${frame.channel} `;
  switch (type) {
    case "control_request":
      return `${side}${type} ${detail("request", "subtype")}`;
    case "control_response":
      return `${side}${type} ${detail("response", "subtype")}`;
    case "stream_event":
      return `${side}${type} ${detail("event", "type")}`;
    case "system":
      return `${side}${type} ${String(payload?.["subtype"])}`;
    case "command_lifecycle":
      return `${side}${type} ${String(payload?.["state"])}`;
    default:
      return side + type;
  }
}
