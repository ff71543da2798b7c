import type { ModelReply, ModelStep, Reply } from "./model-step.ts";

/** The reply written out. */
export function replyOf(reply: ModelReply): Reply {
  if (typeof reply === "string") return { blocks: [{ text: reply }] };
  return "length" in reply ? { blocks: reply } : reply;
}

/** What the step answers when it is asked for that often, counted from 0. */
export function attemptOf(step: ModelStep, attempt: number): Reply {
  const failures = typeof step === "object" && "fail" in step ? step.fail : undefined;
  return replyOf(failures?.[attempt] ?? step);
}
