import type { AgentRuntimeEvent, EventOf } from "@claxedo/agent-event-runtime";
import { type AgentRuntime, AgentRuntimeError } from "@claxedo/agent-sdk-runtime";
import type { Refusal } from "./typed-reply.ts";

/** Answers what an agent asks while its turn is followed. */
export interface Answerer {
  /** Takes the next event, before it is shown. */
  take(event: AgentRuntimeEvent): void;
  /** Answers nothing more; resolves when no prompt is left. */
  stop(): Promise<void>;
}

/** A request of an agent. */
export type Ask = EventOf<"permission.requested" | "question.requested">;

/** What is said to it: an option, an answer for each question, or no. Messages are for the model to read. */
export type Reply =
  | { readonly optionId: string; readonly message?: string }
  | { readonly answers: readonly (string | readonly string[])[] }
  | Refusal;

/** Whether this is a request that waits for an answer; history told again does not. */
export function isAsk(event: AgentRuntimeEvent): event is Ask {
  return (event.type === "permission.requested" || event.type === "question.requested") && !event.replayed;
}

/** Hands a reply over. What came of it is told by events, but for the error that is answered. */
export async function handOver(
  runtime: AgentRuntime,
  { type, sessionId, requestId }: Ask,
  reply: Reply,
): Promise<AgentRuntimeError | undefined> {
  const id = { sessionId, requestId };
  try {
    if ("optionId" in reply) await runtime.permissions.answer({ ...id, ...reply });
    else if ("answers" in reply) await runtime.questions.answer({ ...id, ...reply });
    else {
      const { refused: _, ...why } = reply;
      await (type === "permission.requested" ? runtime.permissions : runtime.questions).reject({
        ...id,
        ...why,
      });
    }
  } catch (error) {
    if (!AgentRuntimeError.is(error)) throw error;
    return error.code === "ask-ended" ? undefined : error;
  }
  return undefined;
}
