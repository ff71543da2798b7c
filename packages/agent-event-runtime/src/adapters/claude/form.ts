import { field, list, record, text } from "../../base/read.ts";
import type { Question } from "../../event/event-values.ts";

/** One field of a form: what is asked, and what the answer is read by. */
type FormField = {
  readonly name: string;
  readonly prompt: string;
  /** JSON Schema's `type`, where it has one; of a list, that of its items. */
  readonly type: string;
  /** Takes a list. */
  readonly multiple: boolean;
  readonly required: boolean;
  /** What may be chosen; empty where it takes words. */
  readonly choices: readonly FormChoice[];
};

/** What is asked of a person; `fields` where the answers fill a form. */
export type Asked = {
  readonly questions: readonly Question[];
  readonly fields?: readonly FormField[];
};

type FormChoice = { readonly label: string; readonly value: string | number | boolean };

/** A form beyond these is not asked field by field, nor one with a longer name of a field. */
const MAX_FIELDS = 32;
const MAX_CHOICES = 256;
const MAX_NAME = 200;

/**
 * The fields of a `requested_schema`, in its order. `undefined` when they cannot be asked one by one: there are
 * more than 32, one has more than 256 choices or a name of more than 200 characters, or is not flat.
 */
function formFields(schema: unknown): readonly FormField[] | undefined {
  const properties = Object.entries(record(field(schema, "properties")) ?? {});
  if (properties.length > MAX_FIELDS) return undefined;
  const required = list(schema, "required");
  const fields = properties.map(([name, definition]) => formField(name, definition, required.includes(name)));
  return fields.every(isAskable) ? fields : undefined;
}

function formField(name: string, definition: unknown, required: boolean): FormField {
  const multiple = text(definition, "type") === "array";
  const item = multiple ? field(definition, "items") : definition;
  const type = text(item, "type") ?? "";
  const title = `${text(definition, "title") ?? name}${required ? "" : " (optional)"}`;
  const prompt = [title, ...said(definition, "description")].join(": ");
  return { name, prompt, type, multiple, required, choices: choicesOf(item, type) };
}

function isAskable({ name, type, choices }: FormField): boolean {
  const isFlat = type !== "object" && type !== "array";
  return isFlat && name.length <= MAX_NAME && choices.length <= MAX_CHOICES;
}

function said(value: unknown, key: string): readonly string[] {
  const found = text(value, key);
  return found === undefined ? [] : [found];
}

/** Named by their titles, or by their values where titles would not tell them apart. */
function choicesOf(definition: unknown, type: string): readonly FormChoice[] {
  const titled = [...list(definition, "oneOf"), ...list(definition, "anyOf")];
  const names = list(definition, "enumNames");
  const plain = type === "boolean" ? [true, false] : list(definition, "enum");
  const choices = [
    ...titled.flatMap((option) => choice(field(option, "const"), field(option, "title"))),
    ...plain.flatMap((value, index) => choice(value, names[index])),
  ];
  const isDistinct = new Set(choices.map(({ label }) => label)).size === choices.length;
  return isDistinct ? choices : choices.flatMap(({ value }) => choice(value, undefined));
}

/** None for what cannot be the value of a field. */
function choice(value: unknown, title: unknown): readonly FormChoice[] {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return [];
  return [{ label: typeof title === "string" ? title : String(value), value }];
}

/**
 * What an elicitation asks: a question for each field, the first of them after the message. Without fields it asks
 * to accept or not; a form that cannot be asked by its fields wants one JSON object.
 */
export function elicited(request: unknown): Asked {
  const fields = formFields(field(request, "requested_schema"));
  const head = [...said(request, "message"), ...said(request, "url")];
  if (fields === undefined) return { questions: [question(head, [])] };
  if (fields.length === 0) return { questions: [question(head, ["Accept", "Decline"])], fields };
  const questions = fields.map(({ prompt, choices, multiple }, index) => {
    const labels = choices.map(({ label }) => label);
    return { ...question(index === 0 ? [...head, prompt] : [prompt], labels), multiple };
  });
  return { questions, fields };
}

function question(lines: readonly string[], labels: readonly string[]): Question {
  return { prompt: lines.join("\n"), options: labels.map((label) => ({ label })), multiple: false };
}
