import type { ModelBlock, ModelStep } from "@claxedo/mock-models";

// What the model is told to answer, where several scenarios need the same.

/** Makes a file, after the host was asked. */
export function touch(name: string): ModelBlock {
  return { tool: "Bash", input: { command: `touch ${name}`, description: "Make a file" } };
}

const input = {
  command: "echo run >> runs; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo finished",
  description: "Wait",
};

/** A command that leaves its process id in `pid` and a line in `runs`, and waits for the file `go`. */
export const wait: ModelBlock = { tool: "Bash", input };

/** The same in the background. */
export const work: ModelBlock = { tool: "Bash", input: { ...input, run_in_background: true } };

/** Hands a prompt to a subagent, for whose report the caller waits or not. */
export function delegate(prompt: string, caller: "waits" | "goes on"): ModelBlock {
  const helper = { description: "Help out", prompt, subagent_type: "general-purpose" };
  return { tool: "Agent", input: { ...helper, run_in_background: caller === "goes on" } };
}

/** A text that is not whole before the gate `on` is released. */
export const spoken: ModelStep = [{ text: "First." }, { gate: "on" }, { text: "And last." }];

/** A PNG of one dot. */
export const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
