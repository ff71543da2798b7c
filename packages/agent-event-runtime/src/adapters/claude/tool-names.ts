import { list, number, text } from "../../base/read.ts";
import type { ToolKind, ToolLocation } from "../../event/event-values.ts";

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["Agent", "agent"],
  ["AskUserQuestion", "other"],
  ["Bash", "execute"],
  ["BashOutput", "execute"],
  ["Edit", "edit"],
  ["EnterPlanMode", "think"],
  ["ExitPlanMode", "think"],
  ["Glob", "search"],
  ["Grep", "search"],
  ["KillShell", "execute"],
  ["LS", "search"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["NotebookRead", "read"],
  ["Read", "read"],
  ["Task", "agent"],
  ["TaskCreate", "think"],
  ["TaskGet", "think"],
  ["TaskList", "think"],
  ["TaskUpdate", "think"],
  ["TodoWrite", "think"],
  ["ToolSearch", "search"],
  ["WebFetch", "fetch"],
  ["WebSearch", "fetch"],
  ["Write", "edit"],
]);

/** What the tool of that name does. */
export function toolKind(name: string): ToolKind {
  return KINDS.get(name) ?? (name.startsWith("mcp__") ? "mcp" : "other");
}

/** The file that a call works on. */
export function pathOf(input: unknown): string | undefined {
  return text(input, "file_path") ?? text(input, "notebook_path") ?? text(input, "path");
}

/** The field of a call's input that tells most about it, in order of preference. */
const TELLING = [
  "command",
  "pattern",
  "file_path",
  "notebook_path",
  "path",
  "url",
  "query",
  "subject",
  "description",
];

/** What the input of a tool call says to a reader. */
export function describeCall(input: unknown): {
  readonly title?: string;
  readonly locations?: readonly ToolLocation[];
} {
  const told = TELLING.map((key) => text(input, key)).find((said) => said !== undefined);
  const said = told ?? text(list(input, "questions")[0], "question");
  const title = said?.trimStart().split("\n", 1)[0]?.slice(0, 200);
  const path = pathOf(input);
  const line = number(input, "offset");
  return {
    ...(title === undefined || title === "" ? undefined : { title }),
    ...(path === undefined
      ? undefined
      : { locations: [{ path, ...(line === undefined ? undefined : { line }) }] }),
  };
}
