import type { EventOf, Json, PermissionOption } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { PermissionAnswer, QuestionAnswer } from "../harness/harness.ts";

/** A request of the harness, as its event has it. */
export type AskRequest = EventOf<"permission.requested"> | EventOf<"question.requested">;

/** What somebody says to a request: takes an option, answers the questions in order, or refuses. */
export type AskReply =
  | { readonly optionId: string; readonly message?: string; readonly input?: Json }
  | { readonly answers: readonly (string | readonly string[])[] }
  | { readonly refused: true; readonly message?: string };

/** The reply as the harness takes it; `invalid-input` when it does not fit the kind of request. */
export function answerTo(request: AskRequest, reply: AskReply): PermissionAnswer | QuestionAnswer {
  if (request.type === "question.requested") return questionAnswer(request, reply);
  if ("answers" in reply) throw invalid("A permission request is answered by one of its options.");
  const { message } = reply;
  return {
    kind: "permission",
    option: "refused" in reply ? refusal(request.options) : chosen(request.options, reply.optionId),
    ...(message === undefined ? undefined : { message }),
    ...("refused" in reply || reply.input === undefined ? undefined : { input: reply.input }),
  };
}

function chosen(options: readonly PermissionOption[], optionId: string): PermissionOption {
  const option = options.find((known) => known.optionId === optionId);
  if (option !== undefined) return option;
  throw invalid(`The request has no option "${optionId}"; it has: ${namesOf(options)}.`);
}

/** Refusing is for this once, where that is offered. */
function refusal(options: readonly PermissionOption[]): PermissionOption {
  const deny = options.filter((option) => option.effect === "deny");
  const option = deny.find(({ scope }) => scope === "once") ?? deny[0];
  if (option !== undefined) return option;
  throw invalid(`The request has no option that refuses; it has: ${namesOf(options)}.`);
}

function namesOf(options: readonly PermissionOption[]): string {
  return options.map((option) => option.optionId).join(", ") || "none";
}

function questionAnswer({ questions }: EventOf<"question.requested">, reply: AskReply): QuestionAnswer {
  if ("refused" in reply) {
    const { message } = reply;
    return { kind: "question", answers: undefined, ...(message === undefined ? undefined : { message }) };
  }
  if (!("answers" in reply)) throw invalid("Questions are answered by words, not by an option.");
  const answers = reply.answers.map((one) => (typeof one === "string" ? [one] : one));
  for (const [index, { prompt, multiple }] of questions.entries())
    if ((answers[index]?.length ?? 0) > 1 && !multiple)
      throw invalid(`The question "${prompt}" takes one answer only.`);
  return { kind: "question", answers };
}

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}
