import { fingerprint } from "../../base/fingerprint.ts";
import { field, list, number, record, text } from "../../base/read.ts";
import type { InputPart, Usage } from "../../event/event-values.ts";
import { combineUsage, usageCounts } from "../../event/usage.ts";

/** An outside id as it is kept: whole, unless it is too long to be repeated in every event. */
export function shortId(id: string): string {
  return id.length <= 200 ? id : `~${fingerprint(id)}`;
}

/** The id under that key, as it is kept; `undefined` when there is none. */
export function idOf(value: unknown, key: string): string | undefined {
  const id = text(value, key);
  return id === undefined ? undefined : shortId(id);
}

/** The ids of a list of uuids. */
export function idsOf(value: unknown, key: string): readonly string[] {
  return list(value, key).flatMap((id) => (typeof id === "string" ? [shortId(id)] : []));
}

/** The agent that a frame is of: the call that started it, or `""` for the main one. */
export function agentKey(payload: unknown): string {
  return idOf(payload, "parent_tool_use_id") ?? "";
}

/** The blocks of a message; a content that is a string is one text. */
export function blocksOf(message: unknown): readonly unknown[] {
  const whole = text(message, "content");
  return whole === undefined ? list(message, "content") : [{ type: "text", text: whole }];
}

/** The text of blocks, one after another. */
export function textOf(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => (text(block, "type") === "text" ? text(block, "text") : undefined))
    .filter((said) => said !== undefined)
    .join("\n");
}

/** An image block whose bytes are in the frame. */
export function imageOf(block: unknown): Extract<InputPart, { type: "image" }> | undefined {
  const source = field(block, "source");
  const data = text(source, "data");
  if (text(block, "type") !== "image" || data === undefined) return undefined;
  return { type: "image", mediaType: text(source, "media_type") ?? "application/octet-stream", data };
}

/** What a content hands over, in the words of inputs. An empty text beside others says nothing. */
export function partsOf(content: string | readonly unknown[]): readonly InputPart[] {
  if (typeof content === "string")
    return [{ type: /^\/\S/u.test(content) ? "command" : "text", text: content }];
  return content.flatMap((block): readonly InputPart[] => {
    const image = imageOf(block);
    if (image !== undefined) return [image];
    const said = text(block, "type") === "text" ? text(block, "text") : undefined;
    return said === undefined || (said === "" && content.length > 1) ? [] : [{ type: "text", text: said }];
  });
}

/** Names of the counts in `usage`, and in the CLI's own sums per model. */
const USAGE = [
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheReadTokens", "cache_read_input_tokens"],
  ["cacheWriteTokens", "cache_creation_input_tokens"],
] as const;
const MODEL_USAGE = [
  ["inputTokens", "inputTokens"],
  ["outputTokens", "outputTokens"],
  ["cacheReadTokens", "cacheReadInputTokens"],
  ["cacheWriteTokens", "cacheCreationInputTokens"],
  ["reasoningTokens", "thinkingTokens"],
] as const;

function counts(value: unknown, names: readonly (readonly [keyof Usage, string])[]): Usage {
  const known = names.flatMap(([ours, theirs]) => {
    const count = number(value, theirs);
    return count === undefined ? [] : [[ours, count] as const];
  });
  return Object.fromEntries(known);
}

/**
 * The token counts of a `usage`; `undefined` when they are all 0, which stands for a call that was not
 * made.
 */
export function usageOf(value: unknown): Usage | undefined {
  const usage = field(value, "usage");
  const reasoningTokens = number(field(usage, "output_tokens_details"), "thinking_tokens");
  const told = counts(usage, USAGE);
  return spentAny(reasoningTokens === undefined ? told : { ...told, reasoningTokens });
}

/** The sum of the counts of all models. */
export function modelUsageOf(models: unknown): Usage {
  const each = Object.values(record(models) ?? {}).map((model) => counts(model, MODEL_USAGE));
  return each.reduce((sum, more) => combineUsage(sum, more), {});
}

/** The counts, unless there is nothing but zeros. */
export function spentAny(tokens: Usage): Usage | undefined {
  return usageCounts.some((key) => (tokens[key] ?? 0) > 0) ? tokens : undefined;
}

/** Whether two sets of counts say the same. */
export function sameCounts(a: Usage, b: Usage): boolean {
  return usageCounts.every((key) => a[key] === b[key]);
}
