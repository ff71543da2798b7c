import { lookup } from "../../base/keyed-list.ts";
import { field, flag, record, text } from "../../base/read.ts";
import type { Usage } from "../../event/event-values.ts";
import type { ClaudeHistory, ClaudeState } from "./claude-state.ts";
import { blocksOf, idOf, idsOf, textOf } from "./frames.ts";
import { INTERRUPTED, LOCAL_OUTPUT, isResult } from "./users.ts";

/** What a user row of the CLI's own record is. */
type UserRow = "results" | "interrupt" | "command" | "output" | "aside" | "words" | "notification" | "prompt";

/** Reads which of these it is. Rows of the CLI itself look like those of users, but for a flag or a tag. */
export function kindOfUser(row: unknown): UserRow {
  const blocks = blocksOf(field(row, "message"));
  const said = textOf(blocks);
  if (blocks.some(isResult)) return "results";
  if (said.startsWith(INTERRUPTED)) return "interrupt";
  if (said.startsWith("<command-name>")) return "command";
  if (LOCAL_OUTPUT.test(said)) return "output";
  if (said.startsWith("<local-command-caveat>")) return "aside";
  if (flag(row, "isMeta") === true || flag(row, "isCompactSummary") === true) return "words";
  return text(field(row, "origin"), "kind") === "task-notification" ? "notification" : "prompt";
}

/** What an assistant row makes of its run: an answer that ends its turn is the last word, so is a failure. */
export function endOfAnswer(row: unknown): ClaudeHistory["end"] {
  if (flag(row, "isApiErrorMessage") === true) return "failed";
  if (isCutShort(row)) return "aborted_streaming";
  return text(field(row, "message"), "stop_reason") === "end_turn" ? "answered" : "open";
}

/** A message that was cut short has no reason for having stopped. */
function isCutShort(row: unknown): boolean {
  return field(field(row, "message"), "stop_reason") === null;
}

/** What the CLI's mark of an interrupt makes of the run. */
export function endOfInterrupt(row: unknown): ClaudeHistory["end"] {
  const said = textOf(blocksOf(field(row, "message")));
  return said.includes("for tool use") ? "aborted_tools" : "aborted_streaming";
}

/** The row as the frame that the CLI wrote when it made it. */
export function asFrame(row: unknown): unknown {
  return {
    uuid: field(row, "uuid"),
    message: field(row, "message"),
    ...(isCutShort(row) ? { aborted: true } : undefined),
    ...(kindOfUser(row) === "words" ? { isSynthetic: true } : undefined),
    ...renamed(row, "error", "error"),
    ...renamed(row, "isApiErrorMessage", "is_api_error_message"),
    ...renamed(row, "apiErrorStatus", "api_error_status"),
  };
}

/** A row of results as a frame, of those calls that are open: what came of the others is told. */
export function asResults(state: ClaudeState, row: unknown): unknown {
  const message = record(field(row, "message"));
  const content = blocksOf(message).filter((block) => {
    const id = idOf(block, "tool_use_id");
    return isResult(block) && id !== undefined && lookup(state.tools, id) !== undefined;
  });
  const meta = content.map((block) => ({
    id: field(block, "tool_use_id"),
    ...renamed(row, "permissionDecision", "permission_decision"),
    ...renamed(row, "toolDenialKind", "non_execution_kind"),
  }));
  return {
    uuid: field(row, "uuid"),
    message: { ...message, content },
    tool_use_result: field(row, "toolUseResult"),
    tool_result_meta: meta,
  };
}

/** The figures of a compaction as a frame has them. */
export function asBoundary(row: unknown): unknown {
  const figures = field(row, "compactMetadata");
  return {
    compact_metadata: {
      ...renamed(figures, "trigger", "trigger"),
      ...renamed(figures, "preTokens", "pre_tokens"),
      ...renamed(figures, "postTokens", "post_tokens"),
    },
  };
}

function renamed(value: unknown, key: string, name: string): Readonly<Record<string, unknown>> | undefined {
  const found = field(value, key);
  return found === undefined ? undefined : { [name]: found };
}

/** The line that would have pronounced on the open run, had it been read: what the record says of the end. */
export function asResult(state: ClaudeState, end: ClaudeHistory["end"], usage: Usage): unknown {
  const error = lookup(state.messages, "")?.error;
  return {
    ...VERDICTS[end],
    ...(end === "failed" && error !== undefined && error !== null
      ? { result: error.message, api_error: error.code, api_error_status: error.status }
      : undefined),
    ...(state.run?.origin === "harness" ? { origin: { kind: "task-notification" } } : undefined),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_input_tokens: usage.cacheReadTokens,
      cache_creation_input_tokens: usage.cacheWriteTokens,
      output_tokens_details: { thinking_tokens: usage.reasoningTokens },
    },
  };
}

const VERDICTS: { readonly [End in ClaudeHistory["end"]]: object } = {
  answered: { subtype: "success", is_error: false, terminal_reason: "completed", stop_reason: "end_turn" },
  failed: { subtype: "success", is_error: true, terminal_reason: "api_error" },
  aborted_streaming: { subtype: "success", is_error: true, terminal_reason: "aborted_streaming" },
  aborted_tools: { subtype: "success", is_error: true, terminal_reason: "aborted_tools" },
  handled: { subtype: "success", is_error: false, num_turns: 0 },
  command: { subtype: "not_recorded", is_error: true },
  open: { subtype: "not_recorded", is_error: true },
};

/** The uuids of the inputs that a prompt is made of; several that waited together are one. */
export function inputsOf(row: unknown): readonly string[] {
  const uuid = idOf(row, "uuid");
  return [...idsOf(row, "mergedSendUuids"), ...(uuid === undefined ? [] : [uuid])];
}
