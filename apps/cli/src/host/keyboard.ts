import { on } from "node:events";
import type { Readable } from "node:stream";

/** How long nothing comes once all that was typed ahead has been read, in milliseconds. */
const QUIET_MS = 50;

/**
 * What a person types, in lines, as the terminal hands it over: editing and Ctrl-C are the terminal's affair.
 * It is read only while a line is awaited, since a job in the background is stopped when it reads.
 */
export class Keyboard {
  readonly #input: Readable;
  /** A line that was handed over before its end. */
  #begun = "";

  constructor(input: Readable) {
    this.#input = input.setEncoding("utf8").pause();
    // A terminal that has gone ends the reading and nothing else.
    input.on("error", () => undefined);
  }

  /** The next line; `undefined` when the signal is aborted before, or none will come any more. */
  async line(signal: AbortSignal): Promise<string | undefined> {
    const input = this.#input;
    if (signal.aborted || input.readableEnded || input.destroyed) return undefined;
    input.resume();
    try {
      for await (const [piece] of on(input, "data", { signal, close: ["end", "close"] })) {
        this.#begun += String(piece);
        const [line, rest] = this.#begun.split("\n", 2);
        if (rest === undefined) continue;
        this.#begun = "";
        return line;
      }
    } catch {
      // Aborted, or the terminal has gone.
    } finally {
      input.pause();
    }
    return undefined;
  }

  /** Drops what was typed before now: it was not meant for what is asked next. */
  async discard(): Promise<void> {
    while ((await this.line(quiet())) !== undefined);
    this.#begun = "";
  }
}

/** Aborted once there was time to read what waited, however late the timer comes. */
function quiet(): AbortSignal {
  const over = new AbortController();
  setTimeout(() => setImmediate(() => over.abort()), QUIET_MS);
  return over.signal;
}
