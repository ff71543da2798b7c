import { number, record } from "../base/read.ts";
import type { Usage } from "./event-values.ts";

/** The counts of a `Usage`, by name. */
export const usageCounts: readonly (keyof Usage)[] = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "totalTokens",
];

/** Both put together count by count, as a sum unless said otherwise. A count that neither tells stays unknown. */
export function combineUsage(a: Usage, b: Usage, join: (a: number, b: number) => number = sum): Usage {
  const both: { -readonly [Key in keyof Usage]: Usage[Key] } = {};
  for (const key of usageCounts) {
    if (a[key] !== undefined || b[key] !== undefined) both[key] = join(a[key] ?? 0, b[key] ?? 0);
  }
  return both;
}

function sum(a: number, b: number): number {
  return a + b;
}

/** A stored usage; `undefined` when the value has anything but these counts. */
export function parseUsage(value: unknown): Usage | undefined {
  const counts = record(value);
  if (counts === undefined) return undefined;
  const sound = Object.keys(counts).every(
    (key) => usageCounts.some((known) => known === key) && number(counts, key) !== undefined,
  );
  return sound ? counts : undefined;
}
