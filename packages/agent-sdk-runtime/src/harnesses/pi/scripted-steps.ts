/** A call of one of pi's own tools. */
export interface ToolUse {
  readonly name: "bash" | "read" | "write" | "edit";
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One line of a script: text for the user, a tool to run, or the model's failure. */
export type ScriptStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "use"; readonly tool: ToolUse }
  | { readonly kind: "fail"; readonly text: string };

/** What the lines of a script look like, for people. */
export const SCRIPT_FORMS: string =
  "exec: COMMAND, read: PATH, write: PATH TEXT, edit: PATH OLD => NEW, sleep: SECONDS, say: TEXT, fail: TEXT";

/** Lines after this many steps are not read: each model call reads the script again. */
const STEP_LIMIT = 500;

const STEP = /^\s*(exec|read|write|edit|sleep|say|fail):[ \t]*(.*)$/su;

/** The steps of a prompt whose first line is one; `undefined` for any other prompt. */
export function readScript(prompt: string): readonly ScriptStep[] | undefined {
  const steps: ScriptStep[] = [];
  for (const line of lines(prompt)) {
    if (line.trim() === "") continue;
    const step = readStep(line);
    if (step === undefined && steps.length === 0) return undefined;
    if (steps.length === STEP_LIMIT) return [...steps, say(`Only the first ${STEP_LIMIT} steps are read.`)];
    steps.push(step ?? say(`This line is no step I know: ${line.trim().slice(0, 80)}`));
  }
  return steps.length > 0 ? steps : undefined;
}

/** Lines end at a line feed only: other separators are text. */
function* lines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
  }
}

function readStep(line: string): ScriptStep | undefined {
  const [, word, text = ""] = STEP.exec(line) ?? [];
  const rest = text.trimEnd();
  switch (word) {
    case "exec":
      return use("bash", { command: rest });
    case "sleep":
      return readSleep(rest);
    case "read":
      return use("read", { path: readPath(rest).path });
    case "write":
      return readWrite(rest);
    case "edit":
      return readEdit(rest);
    case "say":
      return say(unescaped(rest));
    case "fail":
      return { kind: "fail", text: rest === "" ? "The script failed." : rest };
    default:
      return undefined;
  }
}

function readSleep(rest: string): ScriptStep {
  const seconds = Number(rest);
  if (rest === "" || !Number.isFinite(seconds) || seconds < 0)
    return say(`Not a number of seconds: ${rest.slice(0, 80)}`);
  return use("bash", { command: `sleep ${seconds}` });
}

function readWrite(rest: string): ScriptStep {
  const { path, after } = readPath(rest);
  return use("write", { path, content: unescaped(after) });
}

function readEdit(rest: string): ScriptStep {
  const { path, after } = readPath(rest);
  const arrow = after.indexOf("=>");
  if (arrow < 0) return say(`An edit needs "old => new": ${rest.slice(0, 80)}`);
  const oldText = unescaped(after.slice(0, arrow).trim());
  return use("edit", { path, edits: [{ oldText, newText: unescaped(after.slice(arrow + 2).trim()) }] });
}

/** The first word, or what stands in quotes, and what follows it. */
function readPath(rest: string): { readonly path: string; readonly after: string } {
  const [whole = "", quoted, plain] = /^(?:"([^"]*)"|(\S*))[ \t]?/u.exec(rest) ?? [];
  return { path: quoted ?? plain ?? "", after: rest.slice(whole.length) };
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nt\\])/gu, (_, sign: string) =>
    sign === "n" ? "\n" : sign === "t" ? "\t" : "\\",
  );
}

function use(name: ToolUse["name"], input: ToolUse["arguments"]): ScriptStep {
  return { kind: "use", tool: { name, arguments: input } };
}

function say(text: string): ScriptStep {
  return { kind: "say", text };
}
