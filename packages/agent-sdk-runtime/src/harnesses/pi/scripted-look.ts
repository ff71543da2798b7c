import { SCRIPT_FORMS, type ToolUse } from "./scripted-steps.ts";

/** What a tool gave. */
export interface ToolOutput {
  readonly text: string;
  readonly failed: boolean;
}

/** What to do next: words, and a tool to run after them unless that was all. */
export interface Move {
  readonly text: string;
  readonly tool?: ToolUse;
  readonly error?: string;
}

const LIST: ToolUse = { name: "bash", arguments: { command: "ls -1Ap | head -n 200" } };

// A workspace is not trusted: its git configuration must not name programs to run.
const SAFE_GIT = "git --no-optional-locks -c core.fsmonitor= -c core.hooksPath=/dev/null";
const STATUS: ToolUse = {
  name: "bash",
  arguments: { command: `${SAFE_GIT} status --short --branch | head -n 20` },
};

/** Answers a prompt that is no script: looks at the workspace, then tells what was there. */
export function lookAround(prompt: string, outputs: readonly ToolOutput[]): Move {
  const entries = listed(outputs[0]);
  const uses = [LIST, ...followUps(entries)];
  const tool = uses[outputs.length];
  if (tool === undefined) return { text: describe(prompt, entries, uses, outputs) };
  const text =
    outputs.length === 0 ? "I am an offline demo model. I look at the workspace with real tools.\n" : "";
  return { text, tool };
}

function listed(output: ToolOutput | undefined): readonly string[] {
  if (output === undefined || output.failed || output.text.trim() === "(no output)") return [];
  return output.text.split("\n").filter((line) => line !== "");
}

function followUps(entries: readonly string[]): readonly ToolUse[] {
  const readme = entries.find((entry) => /^readme(\.\w+)?$/iu.test(entry));
  const isRepository = entries.some((entry) => entry === ".git/" || entry === ".git");
  return [
    ...(isRepository ? [STATUS] : []),
    ...(readme === undefined ? [] : [read(readme)]),
    ...(entries.includes("package.json") ? [read("package.json")] : []),
  ];
}

function read(path: string): ToolUse {
  return { name: "read", arguments: { path, limit: 40 } };
}

function describe(
  prompt: string,
  entries: readonly string[],
  uses: readonly ToolUse[],
  outputs: readonly ToolOutput[],
): string {
  const shown = entries.slice(0, 12).join(", ");
  const more = entries.length > 12 ? ", …" : "";
  const findings = uses.slice(1).map((use, index) => `- ${finding(use, outputs[index + 1])}`);
  return [
    `I am offline/scripted, a demo model without intelligence: I cannot answer "${excerpt(prompt)}".`,
    "This is what I saw in the workspace:",
    entries.length === 0 ? "- nothing: it is empty" : `- ${entries.length} entries: ${shown}${more}`,
    ...findings,
    `I can follow steps, one a line: ${SCRIPT_FORMS}.`,
    "For real answers choose a model of your pi configuration, as provider/id.",
  ].join("\n");
}

function finding(use: ToolUse, output: ToolOutput | undefined): string {
  const text = output?.text ?? "";
  if (use === STATUS) {
    const [branch = "", ...changes] = text.split("\n").filter((line) => line !== "");
    return output?.failed
      ? "git: no status"
      : `git: ${branch.replace(/^## /u, "branch ")}, ${changes.length} changed`;
  }
  const path = String(use.arguments["path"]);
  if (path === "package.json") return `package.json: ${packageName(text)}`;
  return `${path}: ${excerpt(text)}`;
}

function packageName(text: string): string {
  const name = /"name"\s*:\s*"([^"\n]{1,100})"/u.exec(text)?.[1];
  return name === undefined ? "a package without a name" : `the package ${name}`;
}

/** The first words of a text, on one line. */
function excerpt(text: string): string {
  const start = text.slice(0, 400).replaceAll(/\s+/gu, " ").trim();
  return start.length > 80 || text.length > 400 ? `${start.slice(0, 80)}…` : start;
}
