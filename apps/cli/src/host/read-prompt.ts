import { Cancelled } from "../cancelled.ts";
import type { PromptSource } from "../arguments/plan.ts";
import { UsageError } from "../usage-error.ts";
import type { Console } from "./console.ts";

/** More than any model reads, in bytes. */
const MAX_PROMPT = 32 * 1024 * 1024;

/** The prompt, read from standard input where it comes from there. A UsageError when it says nothing. */
export async function readPrompt(
  console: Console,
  source: PromptSource,
  signal: AbortSignal,
): Promise<string> {
  const prompt = source.from === "argument" ? source.text : await readInput(console, signal);
  if (prompt.trim() === "") throw new UsageError("The prompt is empty: say what the agent is to do.", "run");
  return prompt;
}

async function readInput(console: Console, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stop = aborted(signal);
  const input = console.stdin()[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([input.next(), stop]);
    if (next === "aborted") throw new Cancelled();
    if (next.done === true) return Buffer.concat(chunks).toString("utf8");
    size += next.value.byteLength;
    if (size > MAX_PROMPT)
      throw new UsageError("The prompt is larger than 32 MiB: put it in a file and name that.", "run");
    chunks.push(next.value);
  }
}

function aborted(signal: AbortSignal): Promise<"aborted"> {
  if (signal.aborted) return Promise.resolve("aborted");
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted"), { once: true }));
}
