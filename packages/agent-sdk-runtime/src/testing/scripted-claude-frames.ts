import type { Json, WireFrame } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { AskAnswer, PermissionAnswer, PromptRequest, QuestionAnswer } from "../harness/harness.ts";

/** A prompt as a user message: a command as a string, all else as blocks. */
export function promptFrame({ inputId, parts, handover }: PromptRequest): WireFrame {
  const [first] = parts;
  const before = handover === undefined ? [] : [{ type: "text", text: handover }];
  const blocks = parts.map((part) =>
    part.type === "image"
      ? { type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }
      : { type: "text", text: part.text },
  );
  const content = first?.type === "command" ? first.text : [...before, ...blocks];
  const payload = { type: "user", message: { role: "user", content }, uuid: `uuid-${inputId}` };
  return { ...sent(payload), note: { inputId, ...(handover !== undefined && { parts }) } };
}

/** A request of the host. */
export function controlFrame(requestId: string, request: Json): WireFrame {
  return sent({ type: "control_request", request_id: requestId, request });
}

/** The answer to a request of the CLI. */
export function answerFrame({ requestId, native, by, answer }: AskAnswer): WireFrame {
  const {
    requestId: request_id,
    suggestions = [],
    input = {},
  } = native as unknown as {
    readonly requestId: string;
    readonly suggestions?: readonly Json[];
    readonly input?: { readonly questions?: readonly { readonly question: string }[] };
  };
  const response =
    answer.kind === "permission" ? permission(answer, suggestions) : questions(answer, input.questions ?? []);
  const payload = { type: "control_response", response: { subtype: "success", request_id, response } };
  const scope = answer.kind === "permission" ? { scope: answer.option.scope } : undefined;
  return { ...sent(payload), note: { requestId, by, ...scope } };
}

function permission({ option, message, input }: PermissionAnswer, suggestions: readonly Json[]): Json {
  if (option.effect === "deny") return { behavior: "deny", message: message ?? "Denied." };
  const index = /^suggestion-(\d+)$/u.exec(option.optionId)?.[1];
  const suggestion = index === undefined ? undefined : suggestions[Number(index)];
  return {
    behavior: "allow",
    ...(input === undefined ? undefined : { updatedInput: input }),
    ...(suggestion === undefined ? undefined : { updatedPermissions: [suggestion] }),
  };
}

function questions(
  { answers, message }: QuestionAnswer,
  asked: readonly { readonly question: string }[],
): Json {
  if (answers === undefined) return { behavior: "deny", message: message ?? "Declined." };
  if (answers.length !== asked.length || answers.some((each) => each.length === 0))
    throw new AgentRuntimeError("invalid-input", `It asks ${asked.length} questions.`);
  const given = asked.map(({ question }, index) => [question, answers[index]?.join(", ") ?? ""]);
  const updatedInput = { questions: asked as unknown as Json, answers: Object.fromEntries(given) as Json };
  return { behavior: "allow", updatedInput };
}

function sent(payload: Json): WireFrame {
  return { dir: "sent", channel: "", payload, at: Date.now() };
}
