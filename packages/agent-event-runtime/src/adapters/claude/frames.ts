import { fingerprint } from "../../base/fingerprint.ts";
import { field, list, number, record, text } from "../../base/read.ts";
import type { InputPart } from "../../event/event-values.ts";
import type { TokenCounts } from "./claude-state.ts";

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

/** What blocks hand over, in the words of inputs. */
export function partsOf(blocks: readonly unknown[]): readonly InputPart[] {
  return blocks.flatMap((block): readonly InputPart[] => {
    const image = imageOf(block);
    if (image !== undefined) return [image];
    const said = text(block, "type") === "text" ? text(block, "text") : undefined;
    return said === undefined ? [] : [{ type: "text", text: said }];
  });
}

const COUNTS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

/** Names of the counts in `usage`, and in the CLI's own sums per model. */
const USAGE = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;
const MODEL_USAGE = [
  "inputTokens",
  "outputTokens",
  "cacheReadInputTokens",
  "cacheCreationInputTokens",
  "thinkingTokens",
] as const;

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function counts(value: unknown, names: readonly string[], reasoning?: number): TokenCounts {
  const found: Mutable<TokenCounts> = {};
  for (const [index, key] of COUNTS.entries()) {
    const name = names[index];
    const count = name === undefined ? reasoning : number(value, name);
    if (count !== undefined) found[key] = count;
  }
  return found;
}

/**
 * The token counts of a `usage`; `undefined` when they are all 0, which stands for a call that was not
 * made.
 */
export function usageOf(value: unknown): TokenCounts | undefined {
  const usage = field(value, "usage");
  return spentAny(counts(usage, USAGE, number(field(usage, "output_tokens_details"), "thinking_tokens")));
}

/** The sum of the counts of all models. */
export function modelUsageOf(models: unknown): TokenCounts {
  const each = Object.values(record(models) ?? {}).map((model) => counts(model, MODEL_USAGE));
  return each.reduce((sum, more) => combined(sum, more, (a, b) => a + b), {});
}

/** The counts, unless there is nothing but zeros. */
export function spentAny(tokens: TokenCounts): TokenCounts | undefined {
  return COUNTS.some((key) => (tokens[key] ?? 0) > 0) ? tokens : undefined;
}

/** Both counts put together one by one; an absent one counts as 0 where the other is known. */
export function combined(
  a: TokenCounts,
  b: TokenCounts,
  join: (a: number, b: number) => number,
): TokenCounts {
  const both: Mutable<TokenCounts> = {};
  for (const key of COUNTS) {
    if (a[key] !== undefined || b[key] !== undefined) both[key] = join(a[key] ?? 0, b[key] ?? 0);
  }
  return both;
}

/** Whether two sets of counts say the same. */
export function sameCounts(a: TokenCounts, b: TokenCounts): boolean {
  return COUNTS.every((key) => a[key] === b[key]);
}
