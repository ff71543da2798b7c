import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import { field, textField } from "../../live/messages.ts";

/**
 * The answer to an elicitation, as `native` has it: to each field of its form, in order, or one JSON object as the
 * only answer. No answer to a field that is not required leaves it out. Without fields it is accepted or declined.
 * Throws `invalid-input` when the answers do not fit.
 */
export function elicitationResponse(
  native: unknown,
  answers: readonly (readonly string[])[] | undefined,
): object {
  if (answers === undefined) return { action: "decline" };
  const asked = field(native, "fields");
  const fields: readonly unknown[] = Array.isArray(asked) ? asked : [];
  if (fields.length > 0 && fields.length === answers.length)
    return accept(Object.fromEntries(fields.flatMap((each, index) => entryOf(each, answers[index] ?? []))));
  const only = answers.length === 1 ? (answers[0]?.[0] ?? "") : "";
  const whole = readObject(only);
  if (whole !== undefined) return accept(whole);
  if (asked === undefined) throw invalid("This form is answered by one JSON object.");
  if (fields.length === 0) return consent(only, textField(field(native, "request"), "mode") === "url");
  const names = fields.map(nameOf).join(", ");
  throw invalid(`The form has the fields ${names}: answer each of them, or all by one JSON object.`);
}

function accept(content: object): object {
  return { action: "accept", content };
}

/** Only a form has a content. */
function consent(word: string, isUrl: boolean): object {
  if (word === "Decline") return { action: "decline" };
  if (word !== "Accept") throw invalid("This request is answered by Accept or Decline.");
  return isUrl ? { action: "accept" } : accept({});
}

function entryOf(asked: unknown, answers: readonly string[]): readonly (readonly [string, unknown])[] {
  const name = nameOf(asked);
  const required = field(asked, "required") === true;
  if (answers.length === 0 && !required) return [];
  if (field(asked, "multiple") === true) return [[name, answers.map((answer) => valueOf(asked, answer))]];
  const [answer] = answers;
  if (answer === undefined) throw invalid(`The field ${name} is required.`);
  return [[name, valueOf(asked, answer)]];
}

function valueOf(asked: unknown, answer: string): unknown {
  const choices = field(asked, "choices");
  if (Array.isArray(choices) && choices.length > 0) return chosen(nameOf(asked), choices, answer);
  const type = textField(asked, "type");
  if (type !== "number" && type !== "integer") return answer;
  const value = answer.trim() === "" ? Number.NaN : Number(answer);
  if (type === "integer" ? Number.isInteger(value) : Number.isFinite(value)) return value;
  throw invalid(`The field ${nameOf(asked)} is ${type === "integer" ? "a whole number" : "a number"}.`);
}

/** By its label, or by the value itself. */
function chosen(name: string, choices: readonly unknown[], answer: string): unknown {
  const taken =
    choices.find((choice) => field(choice, "label") === answer) ??
    choices.find((choice) => String(field(choice, "value")) === answer);
  if (taken !== undefined) return field(taken, "value");
  const labels = choices.map((choice) => textField(choice, "label")).join(", ");
  throw invalid(`The field ${name} takes one of: ${labels}.`);
}

function nameOf(asked: unknown): string {
  return textField(asked, "name") ?? "";
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}
