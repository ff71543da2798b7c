import { homedir } from "node:os";
import { exitCodes } from "../exit-code.ts";
import type { Piece } from "../render/piece.ts";
import { type Paint, painter, wantsColor } from "../render/style.ts";
import type { Surroundings } from "../store-path.ts";
import { Interrupts } from "./interrupts.ts";
import { Output } from "./output.ts";

/** Everything a command has to do with the world outside the store. */
export interface Console extends Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  stdin(): AsyncIterable<Uint8Array>;
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
    env,
    home: homedir(),
    cwd: process.cwd(),
    paint: { out: painter(wantsColor(stdout.isTTY, env)), err: painter(wantsColor(stderr.isTTY, env)) },
    interrupts: () => new Interrupts(process, () => process.exit(exitCodes.interrupted)),
  };
}

/** Writes pieces where they belong, in order. */
export async function writePieces(console: Console, pieces: readonly Piece[]): Promise<void> {
  for (const { to, text } of pieces) await (to === "out" ? console.stdout : console.stderr).write(text);
}

/** Writes a value as one line of JSON. Exact: text is escaped, never changed. */
export function writeJson(console: Console, value: unknown): Promise<void> {
  return console.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Tells a person something that is not the command's result. */
export function tell(console: Console, text: string): Promise<void> {
  return console.stderr.write(`${console.paint.err("dim", `· ${text}`)}\n`);
}
