// The lines of Claude Code 2.1.332, as its recordings show them. Pure: what a line needs is handed in.

/** A line, before it is stamped. */
export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An input line of the host. */
export interface Prompt {
  /** Its texts, put together. */
  readonly text: string;
  /** The last of them that is not empty: a host may have put context before it. */
  readonly words: string;
  readonly content: unknown;
  /** Whether it is a slash command: a text of its own, or the last of several. */
  readonly command: boolean;
  readonly uuid?: string;
  readonly priority?: string;
  readonly query: boolean;
}

/** A message as `user` lines hold it; `undefined` for content that the CLI swallows. */
export function readPrompt(line: Line): Prompt | undefined {
  const { content } = line["message"] as { readonly content: unknown };
  if (typeof content !== "string" && !Array.isArray(content)) return undefined;
  const blocks = typeof content === "string" ? [{ text: content }] : (content as { text?: string }[]);
  const texts = blocks.map((block) => block.text ?? "");
  return {
    text: texts.join(""),
    words: texts.findLast((text) => text !== "") ?? "",
    content,
    command: blocks.at(-1)?.text?.startsWith("/") ?? false,
    query: line["shouldQuery"] !== false,
    ...(typeof line["uuid"] === "string" ? { uuid: line["uuid"] } : undefined),
    ...(typeof line["priority"] === "string" ? { priority: line["priority"] } : undefined),
  };
}

/** What the CLI does by itself, without a turn of the model: some commands, and an input that asks nothing. */
export function isBuiltIn({ text, command, query }: Prompt): boolean {
  const blank = text !== "" && text.trim() === "";
  return !query || blank || (command && /^\/(?:clear|compact|context|usage)\b/u.test(text));
}

/** The first line of a turn. */
export function initLine(facts: {
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  readonly mcpServers: readonly object[];
  readonly uuids: readonly string[];
}): Line {
  const { cwd, model, permissionMode, mcpServers, uuids } = facts;
  return {
    type: "system",
    subtype: "init",
    cwd,
    tools: ["Task", "AskUserQuestion", "Bash", "Edit", "ExitPlanMode", "Read", "Write"],
    mcp_servers: mcpServers,
    model,
    permissionMode,
    slash_commands: ["clear", "compact", "context", "usage"],
    apiKeySource: "ANTHROPIC_API_KEY",
    claude_code_version: "2.1.332",
    output_style: "default",
    agents: ["claude", "Explore", "general-purpose"],
    skills: [],
    plugins: [],
    capabilities: ["interrupt_receipt_v1", "interrupt_cancel_queued_v1", "interrupt_send_now_v1"],
    ...marked(uuids),
  };
}

/** What names the sends a line is about; only the first assistant message of a turn and its result have it. */
export function marked(uuids: readonly string[]): object {
  return uuids.length === 0 ? {} : { user_message_uuid: uuids.at(-1), user_message_uuids: uuids };
}

/** A content block. */
export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One block of an API message. */
export function assistantLine(id: string, model: string, block: Block, stopReason: string | null): Line {
  return {
    type: "assistant",
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [block],
      stop_reason: stopReason,
      stop_sequence: null,
      usage: usageOf(1),
      context_management: null,
    },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    request_id: `req_${id}`,
  };
}

/** A message of the API in pieces: what comes before its whole block, and what comes after it. */
export function streamLines(
  id: string,
  model: string,
  block: Block,
  pieces: readonly string[],
): {
  readonly before: readonly { readonly line: Line; readonly piece?: string }[];
  readonly after: readonly Line[];
} {
  const event = (body: object): Line => ({
    type: "stream_event",
    event: body,
    parent_tool_use_id: null,
    api_message_id: id,
  });
  const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null };
  const text = block.type === "text";
  const empty = text ? { ...block, text: "" } : { ...block, input: {} };
  const delta = (piece: string): object =>
    text ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
  return {
    before: [
      { line: event({ type: "message_start", message: { ...message, usage: usageOf(1) } }) },
      { line: event({ type: "content_block_start", index: 0, content_block: empty }) },
      ...pieces.map((piece) => ({
        line: event({ type: "content_block_delta", index: 0, delta: delta(piece) }),
        piece,
      })),
    ],
    after: [
      event({ type: "content_block_stop", index: 0 }),
      event({
        type: "message_delta",
        delta: { stop_reason: text ? "end_turn" : "tool_use", stop_sequence: null },
        usage: usageOf(5),
      }),
      event({ type: "message_stop" }),
    ],
  };
}

/** The result of a tool call, as the CLI tells it. */
export function toolResultLine(toolUseId: string, content: unknown, outcome: ToolOutcome): Line {
  const { isError = false, result, meta } = outcome;
  return {
    type: "user",
    message: {
      role: "user",
      content: [{ tool_use_id: toolUseId, type: "tool_result", content, is_error: isError }],
    },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
    tool_use_result: result ?? (isError ? `Error: ${String(content)}` : { stdout: content, stderr: "" }),
    tool_result_meta: [{ id: toolUseId, ...(meta ?? { permission_decision: { decision: "accept" } }) }],
  };
}

/** What the transcript keeps of such a line, besides its message. */
export function rowOf(line: Line): object {
  const [meta] = line["tool_result_meta"] as readonly Readonly<Record<string, unknown>>[];
  return {
    toolUseResult: line["tool_use_result"],
    permissionDecision: meta?.["permission_decision"],
    toolDenialKind: meta?.["non_execution_kind"],
  };
}

/** How a tool call went. */
export interface ToolOutcome {
  readonly isError?: boolean;
  readonly result?: unknown;
  readonly meta?: object;
}

/** How `/compact` goes. */
export function compactLines(): readonly Line[] {
  const status = { type: "system", subtype: "status" };
  const metadata = { trigger: "manual", pre_tokens: 15, post_tokens: 5, duration_ms: 1 };
  return [
    { ...status, status: "compacting" },
    { ...status, status: null, compact_result: "success" },
    { type: "system", subtype: "compact_boundary", compact_metadata: metadata },
  ];
}

/** A text that the CLI itself puts in as the user's. */
export function noteLine(text: string): Line {
  return {
    type: "user",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    timestamp: new Date().toISOString(),
  };
}

/** The end of a turn. `type` is not the first key of the line. */
export function resultLine(fields: object): Line {
  return {
    duration_api_ms: 1,
    stop_reason: "end_turn",
    usage: usageOf(5),
    permission_denials: [],
    terminal_reason: "completed",
    is_error: false,
    num_turns: 1,
    subtype: "success",
    type: "result",
    duration_ms: 2,
    queued_turn_count: 0,
    ...fields,
  };
}

function usageOf(outputTokens: number): object {
  return {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: "standard",
  };
}
