import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { redacted } from "./redacted.ts";

const TAIL_CHARS = 8 * 1024;

/** Drains a stream and keeps its end. */
export class StderrTail {
  /** Resolves when no more will come. */
  readonly ended: Promise<void>;
  readonly #secrets: readonly string[];
  #text = "";
  #cut = false;

  constructor(stream: Readable, secrets: readonly string[]) {
    this.#secrets = secrets;
    this.ended = finished(stream, { writable: false }).catch(() => undefined);
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      const all = this.#text + text;
      this.#cut ||= all.length > TAIL_CHARS;
      this.#text = all.slice(-TAIL_CHARS);
    });
  }

  /** What came last, without secrets. */
  get text(): string {
    // The first word may be the end of a longer one, and then looks like no secret.
    const whole = this.#cut ? this.#text.replace(/^\S*/u, "") : this.#text;
    return redacted(whole.trim(), this.#secrets);
  }
}
