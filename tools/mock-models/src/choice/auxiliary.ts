import { type MessagesBody, userTexts } from "./messages-body.ts";
import { sampleOf } from "./sample.ts";

/**
 * A call that an agent makes beside the conversation. `structured` wants JSON of a schema, such as a session's
 * title; `compaction` a summary of the conversation; `probe` a single token, to see whether a model answers.
 */
export type AuxiliaryCall = "structured" | "compaction" | "probe";

/** How Claude Code 2.1.332 begins the last message of a conversation that it wants to have summarized. */
const COMPACTION = "CRITICAL: Respond with TEXT ONLY.";

/**
 * Which auxiliary call a request is; `undefined` for a turn of the conversation. Such calls quote prompts,
 * directives included, so this is looked at first.
 */
export function auxiliaryCall(body: MessagesBody): AuxiliaryCall | undefined {
  if (schemaOf(body) !== undefined && (body.tools ?? []).length === 0) return "structured";
  const last = body.messages.at(-1);
  if (last !== undefined && userTexts(last).at(-1)?.startsWith(COMPACTION)) return "compaction";
  if (body.max_tokens === 1) return "probe";
  return undefined;
}

/** The text of the answer. */
export function auxiliaryAnswer(call: AuxiliaryCall, body: MessagesBody): string {
  switch (call) {
    case "structured":
      return JSON.stringify(sampleOf(schemaOf(body)));
    case "compaction":
      return "<analysis>Nothing to weigh.</analysis>\n<summary>The conversation so far, summarized.</summary>";
    case "probe":
      return "1";
  }
}

function schemaOf({ output_config }: MessagesBody): unknown {
  return output_config?.format?.schema;
}
