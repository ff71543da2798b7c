import type { ToolWork, Turn } from "../../turn.ts";

/** What a tool is given. */
export type Input = Readonly<Record<string, unknown>>;

/** A call that may run. */
interface ToolCall {
  readonly turn: Turn;
  readonly input: Input;
  readonly toolUseId: string;
}

/** What a tool does with a call. */
export type Tool = (call: ToolCall) => ToolWork;

/** A tool that fails with these words. */
export function failed(content: string): ToolWork {
  return { output: { content, isError: true } };
}

/** A tool that gives these words, and what the host is told besides. */
export function gives(content: string, result?: unknown): ToolWork {
  return { output: result === undefined ? content : { content, result } };
}

/** A text of an input; empty where there is none. */
export function text(input: Input, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}
