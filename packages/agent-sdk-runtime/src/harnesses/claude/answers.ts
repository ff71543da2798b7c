import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { AskAnswer, PermissionAnswer, QuestionAnswer } from "../../harness/harness.ts";
import type { SentLine } from "../../live/input.ts";
import { field, textField } from "../../live/messages.ts";
import type { ToolAnswer } from "../../live/options.ts";
import { elicitationResponse } from "./elicitation.ts";

/** The line that answers a request of the CLI. Throws `invalid-input` when the answer does not fit the request. */
export function answerLine({ native, answer }: AskAnswer): SentLine {
  const requestId = field(native, "requestId");
  if (requestId === undefined) throw invalid("This request is none of Claude Code's.");
  const response =
    answer.kind === "permission" ? permissionResponse(native, answer) : questionResponse(native, answer);
  return { type: "control_response", response: { subtype: "success", request_id: requestId, response } };
}

/** Plans (`ExitPlanMode`) are answered like any tool. */
function permissionResponse(native: unknown, { option, message, input }: PermissionAnswer): ToolAnswer {
  const suggestions = field(native, "suggestions");
  if (!Array.isArray(suggestions)) throw invalid("This request asks for words, not for permission.");
  if (option.effect === "deny") return denial(message, "The user refused this.");
  if (input !== undefined && (typeof input !== "object" || input === null || Array.isArray(input)))
    throw invalid("The input of a tool is an object.");
  const taken = option.optionId === "allow" ? [] : [suggestionOf(suggestions, option.optionId)];
  return {
    behavior: "allow",
    ...(input === undefined ? undefined : { updatedInput: input }),
    ...(taken.length === 0 ? undefined : { updatedPermissions: taken }),
  };
}

function suggestionOf(suggestions: readonly unknown[], optionId: string): unknown {
  const [, index] = /^suggestion-(\d+)$/u.exec(optionId) ?? [];
  const suggestion = index === undefined ? undefined : suggestions[Number(index)];
  if (suggestion === undefined) throw invalid(`This request has no option "${optionId}".`);
  return suggestion;
}

/** The shapes are Claude Code's `AskUserQuestion`, `elicitation` and `request_user_dialog`. */
function questionResponse(native: unknown, { answers, message }: QuestionAnswer): unknown {
  const request = field(native, "request");
  switch (textField(request, "subtype")) {
    case "elicitation":
      return elicitationResponse(native, answers);
    case "request_user_dialog":
      if (answers === undefined) return { behavior: "cancelled" };
      checkAnswers(answers, 1);
      return { behavior: "completed", result: answers.flat().join(", ") };
    case undefined:
      return answers === undefined ? denial(message, "The user did not answer.") : answered(native, answers);
    default:
      throw invalid("Nobody knows how to answer this request.");
  }
}

/** Answers stand under the text of their question, several of one question in one text. */
function answered(native: unknown, answers: readonly (readonly string[])[]): ToolAnswer {
  const input = field(native, "input");
  const questions = field(input, "questions");
  if (typeof input !== "object" || !Array.isArray(questions))
    throw invalid("This request asks for permission, not for words.");
  checkAnswers(answers, questions.length);
  const entries = questions.map((question, index) => [
    textField(question, "question") ?? "",
    (answers[index] ?? []).join(", "),
  ]);
  return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(entries) } };
}

function checkAnswers(answers: readonly (readonly string[])[], questions: number): void {
  if (answers.length !== questions || answers.some((each) => each.length === 0))
    throw invalid(`The request asks ${questions} questions: answer each of them, or reject it.`);
}

function denial(message: string | undefined, otherwise: string): ToolAnswer {
  return { behavior: "deny", message: message ?? otherwise };
}

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}
