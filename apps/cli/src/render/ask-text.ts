import type { PermissionOutcome, Question, QuestionOutcome } from "@claxedo/agent-event-runtime";
import { plainLine } from "./plain-text.ts";

/** How a request of the agent ended, as far as it has. */
export interface AskEnd {
  readonly outcome?: PermissionOutcome | QuestionOutcome;
  readonly by?: "user" | "policy" | "harness";
  readonly scope?: "once" | "session" | "always";
  /** In the order of the questions. */
  readonly answers?: readonly string[];
}

/** A permission request on one line: `permission: Write: notes.txt (denied by policy)`. */
export function permissionLine(title: string | undefined, { outcome, by, scope }: AskEnd): string {
  const held = outcome === "allowed" && scope !== undefined ? lengths[scope] : "";
  return `permission: ${plainLine(title ?? "without a title", 300)} (${outcome ?? "open"}${held}${byPolicy(by)})`;
}

/** The questions of a request on one line, with their answers: `question: Which one? Blue (answered)`. */
export function questionLine(
  questions: readonly Pick<Question, "prompt">[],
  { outcome, by, answers = [] }: AskEnd,
): string {
  const said = questions.map(({ prompt }, index) => `${prompt} ${answers[index] ?? ""}`.trim());
  return `question: ${plainLine(said.join("; "), 300)} (${outcome ?? "open"}${byPolicy(by)})`;
}

/** How long a permission holds. */
const lengths = { once: "", session: " for this session", always: " for good" } as const;

function byPolicy(by: AskEnd["by"]): string {
  return by === "policy" ? " by policy" : "";
}
