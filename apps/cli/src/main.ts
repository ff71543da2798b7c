import { readFileSync } from "node:fs";
import { helpText } from "./arguments/help.ts";
import type { Plan } from "./arguments/plan.ts";
import { readArguments } from "./arguments/read-arguments.ts";
import { exitCodeOfError, exitCodes } from "./exit-code.ts";
import type { Console } from "./host/console.ts";
import { reportError } from "./report-error.ts";

/** Does what the command line asks for and answers the exit code. Never rejects. `program`: the file that was started. */
export async function main(console: Console, argv: readonly string[], program: string): Promise<number> {
  let json = false;
  try {
    const plan = readArguments(argv);
    ({ json } = plan);
    return await carryOut(console, plan, program);
  } catch (error) {
    await reportError(console, error, json);
    return exitCodeOfError(error);
  }
}

// Each command loads what it needs, so that help and complaints about the command line come at once.
async function carryOut(console: Console, plan: Plan, program: string): Promise<number> {
  switch (plan.command) {
    case "help":
      return print(console, helpText(plan.of));
    case "version":
      return print(console, `claxedo ${version()}\n`);
    case "run":
      return (await import("./commands/run.ts")).run(console, plan);
    case "sessions":
      return (await import("./commands/sessions.ts")).sessions(console, plan);
    case "show":
      return (await import("./commands/show.ts")).show(console, plan);
    case "events":
      return (await import("./commands/events.ts")).events(console, plan);
    case "replay":
      return (await import("./commands/replay.ts")).replay(console, plan);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctor(console, plan);
    case "demo":
      return (await import("./commands/demo.ts")).demo(console, program);
  }
}

async function print(console: Console, text: string): Promise<number> {
  await console.stdout.write(text);
  return exitCodes.completed;
}

function version(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
