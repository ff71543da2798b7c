import type { PermissionOption, Question } from "@claxedo/agent-event-runtime";

/** What a typed line comes to: an answer, a refusal, or a word on why it is neither. */
export type TypedReply<Answer> = { readonly answer: Answer } | Refusal | { readonly unclear: string };

/** No, and why, for the model to read. */
export interface Refusal {
  readonly refused: true;
  readonly message?: string;
}

/** The keys that stand for the options of a permission request beside their numbers. */
export function keyOf(option: PermissionOption, options: readonly PermissionOption[]): "y" | "n" | undefined {
  const first = options.find(({ effect, scope }) => effect === option.effect && scope === "once");
  if (first !== option) return undefined;
  return option.effect === "allow" ? "y" : "n";
}

/** The option that a line takes, by number or key; what follows a refusal is its reason, for the model to read. */
export function readPermission(
  line: string,
  options: readonly PermissionOption[],
): TypedReply<{ readonly optionId: string; readonly message?: string }> {
  const [, key = "", words = ""] = /^\s*(\S*)\s*(.*?)\s*$/su.exec(line) ?? [];
  const option = byNumber(key, options) ?? options.find((each) => keyOf(each, options) === key.toLowerCase());
  if (option === undefined) return { unclear: "Type the number or the key of an option." };
  if (words === "") return { answer: { optionId: option.optionId } };
  if (option.effect === "deny") return { answer: { optionId: option.optionId, message: words } };
  return { unclear: "Only a refusal may go on with words." };
}

/** The answer to one question: options by their numbers, or the words themselves. */
export function readAnswer(
  line: string,
  { options, multiple }: Question,
): TypedReply<string | readonly string[]> {
  const words = line.trim();
  if (words === "") return { unclear: "Type an answer, or - to give none." };
  if (words === "-") return { refused: true };
  const chosen = words.split(/[\s,]+/u).map((number) => byNumber(number, options)?.label);
  const labels = [...new Set(chosen.filter((label) => label !== undefined))];
  if (chosen.includes(undefined)) return { answer: words };
  if (multiple) return { answer: labels };
  const [label = "", ...more] = labels;
  return more.length === 0 ? { answer: label } : { unclear: "This question takes one answer." };
}

function byNumber<Option>(typed: string, options: readonly Option[]): Option | undefined {
  return /^\d{1,3}$/u.test(typed) ? options[Number(typed) - 1] : undefined;
}
