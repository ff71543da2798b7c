import type { Input } from "./tool.ts";
import { text } from "./tool.ts";

const EDITS: ReadonlySet<string> = new Set(["Write", "Edit", "NotebookEdit"]);
const ALWAYS: ReadonlySet<string> = new Set(["WebFetch", "AskUserQuestion", "ExitPlanMode"]);

/** Whether the host can be asked at all. */
export const mayAsk: boolean = process.argv.some((each) => each.startsWith("--permission-prompt-tool"));

/** Whether the host is asked before a tool runs. */
export function needsAsk(mode: string, name: string, input: Input): boolean {
  if (EDITS.has(name)) return mode !== "acceptEdits";
  if (name === "Bash") return !/^echo \w+$/u.test(text(input, "command"));
  return ALWAYS.has(name) || name.startsWith("mcp__");
}
