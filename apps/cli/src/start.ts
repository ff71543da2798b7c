import { exitCodes } from "./exit-code.ts";
import { type Console, processConsole } from "./host/console.ts";
import { main } from "./main.ts";
import { reportError } from "./report-error.ts";

/** How long telling of a fault may take, in milliseconds. */
const LAST_OUTPUT_MS = 2_000;

/** Runs the command in this process and ends the process with its exit code. */
export async function start(argv: readonly string[], program: string): Promise<void> {
  const console = processConsole();
  const fail = (error: unknown): void => {
    void endAfterFault(console, error, argv.includes("--json"));
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  const code = await main(console, argv, program);
  await console.stdout.flush();
  await console.stderr.flush();
  // Whatever a library left open is of no use to anybody now.
  process.exit(code);
}

/** An error that nothing was prepared for: told as any other, then the end. What was stored is safe. */
async function endAfterFault(console: Console, error: unknown, json: boolean): Promise<void> {
  setTimeout(() => process.exit(exitCodes.failed), LAST_OUTPUT_MS).unref();
  await reportError(console, error, json).catch(() => undefined);
  process.exit(exitCodes.failed);
}
