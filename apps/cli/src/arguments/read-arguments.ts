import { UsageError } from "../usage-error.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { type CommandName, type CommandSpec, commandSpecs } from "./command-specs.ts";
import type { EventsPlan, PermissionPolicy, Plan, PromptSource, ReplayPlan, RunPlan } from "./plan.ts";

/** What a command line asks for: pure. A UsageError when it cannot be done whatever the machine looks like. */
export function readArguments(argv: readonly string[]): Plan {
  const [first, ...words] = argv;
  if (first === "--help" || first === "-h" || first === "help") return help(words[0]);
  if (first === "--version" || first === "-v") return { command: "version", json: false };
  const spec = commandSpecs.find(({ name }) => name === first);
  if (spec === undefined) throw new UsageError(complaint(first));
  const line = readCommandLine(spec, words);
  return line.flag("help") ? help(spec.name) : planners[spec.name](line, spec);
}

function complaint(first: string | undefined): string {
  if (first === undefined) return "Name a command.";
  if (first.startsWith("-")) return `Name a command before its options: "${first}" comes too early.`;
  return `There is no command "${first}".`;
}

function help(name: string | undefined): Plan {
  if (name === undefined) return { command: "help", json: false };
  const spec = commandSpecs.find((known) => known.name === name);
  if (spec === undefined) throw new UsageError(complaint(name));
  return { command: "help", of: spec.name, json: false };
}

const planners: { readonly [Name in CommandName]: (line: CommandLine, spec: CommandSpec) => Plan } = {
  run: planRun,
  sessions: (line, spec) => ({ command: "sessions", ...common(none(line, spec)) }),
  show: (line, spec) => ({ command: "show", id: one(line, spec), ...common(line), json: false }),
  events: planEvents,
  replay: planReplay,
  doctor: (line, spec) => ({ command: "doctor", ...common(none(line, spec)) }),
  demo: (line, spec) => ({ command: "demo", ...common(none(line, spec)), json: false }),
};

function planRun(line: CommandLine, spec: CommandSpec): RunPlan {
  const access = line.text("access");
  if (access !== undefined && access !== "native" && access !== "acp") {
    throw new UsageError(`An agent cannot be reached by "${access}": --access is native or acp.`, spec.name);
  }
  return {
    command: "run",
    prompt: promptOf(line, spec),
    ...given({
      dir: line.text("dir"),
      harness: line.text("harness"),
      access,
      model: line.text("model"),
      mode: line.text("mode"),
      permissions: policyOf(line.text("permissions"), spec),
      session: line.text("session"),
    }),
    ...common(line),
  };
}

function policyOf(said: string | undefined, spec: CommandSpec): PermissionPolicy | undefined {
  if (said === undefined || said === "ask" || said === "deny" || said === "allow") return said;
  throw new UsageError(`--permissions is ask, deny or allow, not "${said}".`, spec.name);
}

function promptOf(line: CommandLine, spec: CommandSpec): PromptSource {
  const [prompt, ...more] = line.positionals;
  if (prompt === undefined)
    throw new UsageError('There is no prompt: claxedo run "what the agent is to do".', spec.name);
  if (more.length > 0) throw new UsageError("The prompt is one argument: put it in quotes.", spec.name);
  if (prompt.text === "-" && !prompt.literal) return { from: "stdin" };
  return { from: "argument", text: prompt.text };
}

function planEvents(line: CommandLine, spec: CommandSpec): EventsPlan {
  const after = line.text("after") ?? "0";
  if (!/^\d{1,15}$/.test(after))
    throw new UsageError(`--after is the seq of an event, not "${after}".`, spec.name);
  const id = one(line, spec);
  return { command: "events", id, after: Number(after), follow: line.flag("follow"), ...common(line) };
}

function planReplay(line: CommandLine, spec: CommandSpec): ReplayPlan {
  const summary = line.flag("summary");
  const narrowed = ["projection", "session"].find((option) => line.text(option) !== undefined);
  if (summary && narrowed !== undefined)
    throw new UsageError(
      `--${narrowed} is about what is printed, and --summary prints none of it.`,
      spec.name,
    );
  return {
    command: "replay",
    path: one(line, spec, "recording", "FILE"),
    ...given({
      adapter: line.text("adapter"),
      projection: line.text("projection"),
      session: line.text("session"),
    }),
    summary,
    json: line.flag("json"),
  };
}

function common(line: CommandLine): { readonly store?: string; readonly json: boolean } {
  return { ...given({ store: line.text("store") }), json: line.flag("json") };
}

function one(line: CommandLine, spec: CommandSpec, noun = "session", value = "ID"): string {
  const [named, ...more] = line.positionals;
  if (named === undefined || named.text === "")
    throw new UsageError(`Name a ${noun}: claxedo ${spec.name} ${value}.`, spec.name);
  if (more.length > 0) throw new UsageError(`Name one ${noun} only.`, spec.name);
  return named.text;
}

function none(line: CommandLine, spec: CommandSpec): CommandLine {
  const [extra] = line.positionals;
  if (extra === undefined) return line;
  throw new UsageError(`\`${spec.name}\` takes no arguments, and "${extra.text}" is one.`, spec.name);
}

type Given<Options> = { readonly [Key in keyof Options]?: Exclude<Options[Key], undefined> };

/** Only what was said: an option that was not is absent rather than `undefined`. */
function given<Options extends object>(options: Options): Given<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Given<Options>;
}
