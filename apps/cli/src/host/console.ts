import { homedir } from "node:os";
import { isatty } from "node:tty";
import { exitCodes } from "../exit-code.ts";
import { type Paint, painter, wantsColor } from "../render/style.ts";
import type { Surroundings } from "../store-path.ts";
import { Interrupts } from "./interrupts.ts";
import { Keyboard } from "./keyboard.ts";
import { Output } from "./output.ts";

/** Everything a command has to do with the world outside the store. */
export interface Console extends Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  stdin(): AsyncIterable<Uint8Array>;
  /** What is typed on standard input; `undefined` unless that and standard error are terminals. */
  keyboard(): Keyboard | undefined;
  /** Colours for the two streams, where they have any. */
  readonly paint: { readonly out: Paint; readonly err: Paint };
  /** Takes signals from Node: from now on they are requests. */
  interrupts(): Interrupts;
}

/** The console of this process. */
export function processConsole(): Console {
  const { env } = process;
  const stdout = new Output(process.stdout, { vital: true });
  const stderr = new Output(process.stderr, { vital: false });
  return {
    stdout,
    stderr,
    stdin: () => process.stdin,
    keyboard: () => (isatty(0) && stderr.isTTY ? new Keyboard(process.stdin) : undefined),
    env,
    home: homedir(),
    cwd: process.cwd(),
    paint: { out: painter(wantsColor(stdout.isTTY, env)), err: painter(wantsColor(stderr.isTTY, env)) },
    interrupts: () => new Interrupts(process, () => process.exit(exitCodes.interrupted)),
  };
}

/** Writes a value as one line of JSON. Exact: text is escaped, never changed. */
export function writeJson(console: Console, value: unknown): Promise<void> {
  return console.stdout.write(jsonLine(value));
}

/** A value as one line of JSON, its end included. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Tells a person something that is not the command's result. */
export function tell(console: Console, text: string): Promise<void> {
  return console.stderr.write(`${console.paint.err("dim", `· ${text}`)}\n`);
}
