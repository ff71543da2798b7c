import { lookAround, type Move, type ToolOutput } from "./scripted-look.ts";
import { readScript, type ScriptStep, type ToolUse } from "./scripted-steps.ts";

/** The provider of the offline demo model. */
export const SCRIPTED_PROVIDER = "offline";

/** The id of the offline demo model. */
export const SCRIPTED_ID = "scripted";

/** A message of the conversation, as far as it is looked at. */
export interface ScriptMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly isError?: boolean;
}

/** The next message of the model: text, then a tool call or an error or nothing more. */
export interface Plan {
  readonly text: string;
  readonly call?: ToolUse & { readonly id: string };
  readonly error?: string;
}

/**
 * The next message of the demo model: a pure function of the conversation. It follows the last user
 * message as a script, step by step, or else looks around. Call ids come from the position alone.
 */
export function plan(messages: readonly ScriptMessage[]): Plan {
  const at = messages.findLastIndex((message) => message.role === "user");
  const prompt = textOf(messages[at]?.content);
  const outputs = messages
    .slice(at + 1)
    .filter(isResult)
    .map(readOutput);
  const steps = readScript(prompt);
  const move = steps ? follow(steps, outputs) : lookAround(prompt, outputs);
  const call = move.tool && { id: `call_${messages.length}_${outputs.length + 1}`, ...move.tool };
  return { text: move.text, ...(call && { call }), ...(move.error !== undefined && { error: move.error }) };
}

/** The text of a message's content, joined. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map(blockText).join("");
}

function blockText(block: unknown): string {
  if (typeof block !== "object" || block === null || !("text" in block)) return "";
  return typeof block.text === "string" ? block.text : "";
}

function isResult(message: ScriptMessage): boolean {
  return message.role === "toolResult";
}

function readOutput(message: ScriptMessage): ToolOutput {
  return { text: textOf(message.content), failed: message.isError === true };
}

/** One message per tool: the words before it belong to it. */
function follow(steps: readonly ScriptStep[], outputs: readonly ToolOutput[]): Move {
  let passed = 0;
  let words: string[] = [];
  for (const step of steps) {
    if (step.kind === "say") {
      words.push(step.text);
    } else if (passed === outputs.length) {
      const text = paragraph(words);
      return step.kind === "use" ? { text, tool: step.tool } : { text, error: step.text };
    } else {
      passed += 1;
      words = [];
    }
  }
  return { text: [...words, ...closing(outputs)].join("\n") };
}

function paragraph(words: readonly string[]): string {
  return words.length === 0 ? "" : `${words.join("\n")}\n`;
}

function closing(outputs: readonly ToolOutput[]): readonly string[] {
  const last = outputs.at(-1);
  if (last === undefined) return [];
  const failed = outputs.filter((output) => output.failed).length;
  const count = `${outputs.length} ${outputs.length === 1 ? "step" : "steps"}`;
  const head = failed === 0 ? `Done: ${count}.` : `Done: ${count}, ${failed} failed.`;
  return [`${head} The last one gave:`, firstLines(last.text)];
}

function firstLines(text: string): string {
  const start = text.slice(0, 1000).split("\n").slice(0, 10).join("\n").trimEnd();
  return start.length < text.trimEnd().length ? `${start}\n…` : start;
}
