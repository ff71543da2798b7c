import type { ModelBlock, ModelReply, ModelStep } from "@claxedo/mock-models";

/** A tool call as a script has it. */
export type ToolBlock = Extract<ModelBlock, { readonly tool: string }>;

/** A reply of the model written out: its blocks, or an error of the API. */
export interface WrittenReply {
  readonly gate?: string;
  readonly blocks?: readonly ModelBlock[];
  readonly error?: { readonly status: number; readonly message?: string };
}

/** The steps of the directive in a text; `undefined` without one. */
export function stepsIn(text: string): readonly ModelStep[] | undefined {
  const [, json] = /\[\[script:(\[.*\])\]\]/su.exec(text) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as readonly ModelStep[]);
}

/** A reply in its long form. */
export function written(reply: ModelReply | ModelStep): WrittenReply {
  if (typeof reply === "string") return { blocks: [{ text: reply }] };
  return Array.isArray(reply) ? { blocks: reply as readonly ModelBlock[] } : (reply as WrittenReply);
}

/** What the model answers when it is asked again and again: what fails first, then the step itself. */
export function replyOf(step: ModelStep, attempt: number): WrittenReply {
  const failures = typeof step === "object" && "fail" in step ? step.fail : undefined;
  return written(failures?.[attempt] ?? step);
}
