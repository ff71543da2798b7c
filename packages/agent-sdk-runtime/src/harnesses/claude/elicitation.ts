import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import { field, textField } from "../../live/messages.ts";

/**
 * What the fields of a form are filled with: one answer for each, in the order of the schema, or all of
 * them as one JSON object. The schema is MCP's for elicitation: an object of texts, numbers, booleans and
 * choices.
 */
export function formContent(
  schema: unknown,
  answers: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(field(schema, "properties") ?? {});
  if (answers.length === fields.length)
    return Object.fromEntries(
      fields.map(([name, type], index) => [name, valueOf(name, type, answers[index] ?? [])]),
    );
  const whole = answers.length === 1 ? readObject(answers[0]?.[0] ?? "") : undefined;
  if (whole !== undefined) return whole;
  const names = fields.map(([name]) => name).join(", ");
  throw invalid(`The form has the fields ${names}: answer each of them, or all by one JSON object.`);
}

function valueOf(name: string, type: unknown, answers: readonly string[]): unknown {
  const [first = ""] = answers;
  switch (textField(type, "type")) {
    case "array":
      return answers;
    case "boolean":
      if (first !== "true" && first !== "false") throw invalid(`The field ${name} is true or false.`);
      return first === "true";
    case "number":
    case "integer":
      if (first.trim() === "" || !Number.isFinite(Number(first)))
        throw invalid(`The field ${name} is a number.`);
      return Number(first);
    default:
      return first;
  }
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}
