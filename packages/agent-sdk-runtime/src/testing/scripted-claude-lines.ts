import type { Json } from "@claxedo/agent-event-runtime";

// Lines in the shape of Claude Code's stream-json output (version 2.1), with the fields that hosts read.

/** A line, before the connection stamps it. */
export type Line = Readonly<Record<string, Json>>;

/** A tool call, and the call that started the agent that makes it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly parent: string | null;
}

/** What becomes of an input. */
export function lifecycle(uuid: string, state: "queued" | "started" | "completed" | "cancelled"): Line {
  return { type: "command_lifecycle", command_uuid: uuid, state };
}

/** A run begins. `uuids`: the inputs that it is about; none when it is about a task. */
export function init(model: string, permissionMode: string, uuids: readonly string[]): Line {
  const named = uuids.length === 0 ? undefined : { user_message_uuids: [...uuids] };
  const commands = offer.commands.map(({ id }) => id);
  return { type: "system", subtype: "init", model, permissionMode, slash_commands: commands, ...named };
}

/** A message of the model with one block. */
export function said(messageId: string, block: Line, parent: string | null): Line {
  const message = {
    id: messageId,
    role: "assistant",
    model: "scripted-small",
    content: [block],
    stop_reason: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  return { type: "assistant", message, parent_tool_use_id: parent };
}

/** What a tool came to. */
export function toolResult(
  call: Call,
  content: string,
  { failed = false, structured = {} }: { readonly failed?: boolean; readonly structured?: Json } = {},
): Line {
  const block = { type: "tool_result", tool_use_id: call.id, content, is_error: failed };
  return {
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: call.parent,
    tool_use_result: failed ? `Error: ${content}` : structured,
  };
}

/** Whether a tool may run; of a question: what the user says. */
export function canUseTool(requestId: string, call: Call, agentId?: string): Line {
  const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const request = {
    subtype: "can_use_tool",
    tool_name: call.name,
    display_name: call.name,
    input: call.input,
    tool_use_id: call.id,
    permission_suggestions: call.name === "AskUserQuestion" ? [] : [suggestion],
    ...(agentId === undefined ? undefined : { agent_id: agentId }),
  };
  return { type: "control_request", request_id: requestId, request };
}

/** The answer to a request of the host. */
export function controlResponse(requestId: string, response: Json, error?: string): Line {
  const answer = error === undefined ? { subtype: "success", response } : { subtype: "error", error };
  return { type: "control_response", response: { request_id: requestId, ...answer } };
}

/** News of a task: its start, or its end. */
export function taskNews(taskId: string, callId: string, news: Line): Line {
  return { type: "system", task_id: taskId, tool_use_id: callId, ...news };
}

/** The whole set of what runs in the background. */
export function backgroundTasks(taskIds: readonly string[]): Line {
  const tasks = taskIds.map((id) => ({ task_id: id, task_type: "local_bash" }));
  return { type: "system", subtype: "background_tasks_changed", tasks };
}

/** How a run ended. */
export type RunEnd = "completed" | "command" | "aborted" | "refused" | "overflown";

const ENDS: Readonly<Record<RunEnd, Line>> = {
  completed: {
    subtype: "success",
    is_error: false,
    num_turns: 1,
    stop_reason: "end_turn",
    terminal_reason: "completed",
    result: "",
  },
  command: { subtype: "success", is_error: false, num_turns: 0, stop_reason: null, result: "" },
  aborted: {
    subtype: "error_during_execution",
    is_error: true,
    num_turns: 1,
    stop_reason: null,
    terminal_reason: "aborted_tools",
    result: "",
  },
  // By the provider, for what is in the history.
  refused: {
    subtype: "success",
    is_error: true,
    num_turns: 1,
    stop_reason: null,
    terminal_reason: "api_error",
    api_error_status: 400,
    result: "API Error: 400 messages.1.content.0: `tool_use` ids must be unique",
  },
  overflown: {
    subtype: "success",
    is_error: true,
    num_turns: 1,
    stop_reason: "stop_sequence",
    terminal_reason: "prompt_too_long",
    api_error_type: "invalid_request_error",
    api_error_status: 400,
    result: "Prompt is too long",
  },
};

/** The end of a run. `uuids` as in `init`. */
export function result(end: RunEnd, uuids: readonly string[], spent: number): Line {
  return {
    type: "result",
    ...ENDS[end],
    total_cost_usd: spent / 100,
    usage: { input_tokens: 10, output_tokens: 5 },
    ...(uuids.length === 0 ? { origin: { kind: "task-notification" } } : { user_message_uuids: [...uuids] }),
  };
}

/** What the scripted CLI offers. */
export const offer = {
  models: [{ id: "scripted-small", title: "Small" }, { id: "scripted-large" }],
  modes: [{ id: "default" }, { id: "plan" }, { id: "acceptEdits" }],
  commands: [{ id: "compact", argumentHint: "what to keep" }, { id: "clear" }],
} as const;
