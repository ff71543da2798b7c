import type { Writable } from "node:stream";

/** A stream as far as the command writes to it. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/**
 * Writes to one of the standard streams, no faster than it is read. A reader who goes away ends the
 * writing, not the process: see `gone`. What cannot be written for another reason is an error where the
 * stream is `vital`, and otherwise treated alike.
 */
export class Output {
  readonly isTTY: boolean;
  readonly #stream: OutputStream;
  readonly #gone = new AbortController();
  readonly #vital: boolean;
  #fault: Error | undefined;

  constructor(stream: OutputStream, { vital }: { readonly vital: boolean }) {
    this.#stream = stream;
    this.#vital = vital;
    this.isTTY = stream.isTTY === true;
    stream.on("error", (error: NodeJS.ErrnoException) => this.#failed(error));
  }

  /** Aborted when nobody reads any more: what is written after that is dropped. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Writes, and resolves when there is room for more. Rejects when the text cannot be written (a full disk, say). */
  async write(text: string): Promise<void> {
    if (text === "" || this.#gone.signal.aborted) return this.#check();
    if (!this.#stream.write(text)) await this.#room();
    this.#check();
  }

  /** Resolves when everything has been handed over, or never will be. */
  async flush(): Promise<void> {
    if (this.#gone.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#gone.signal.addEventListener("abort", () => resolve(), { once: true });
      this.#stream.write("", () => resolve());
    });
  }

  async #room(): Promise<void> {
    const { signal } = this.#gone;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#stream.removeListener("drain", done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#stream.once("drain", done);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }

  #failed(error: NodeJS.ErrnoException): void {
    const readerLeft = error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "EIO";
    if (this.#vital && !readerLeft)
      this.#fault ??= new Error(`The output cannot be written: ${error.message}`, { cause: error });
    this.#gone.abort();
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }
}
