import type { ErrorInfo } from "@claxedo/agent-event-runtime";
import { messageOf } from "../base/message-of.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";

/** What went wrong, as events tell it. */
export function errorInfo(error: unknown): ErrorInfo {
  const message = messageOf(error);
  return AgentRuntimeError.is(error) ? { message, code: error.code } : { message };
}
