/** What one pass has done. */
export interface ArchiveReport {
  /** Files whose copies were made, extended or renewed. */
  readonly files: number;
  /** Written, in bytes. */
  readonly bytes: number;
  /** What could not be mirrored and why, a sentence each; the first 50, then one that counts the others. */
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 50;

/** A report in the making. */
export class ReportDraft {
  readonly #problems: string[] = [];
  #files = 0;
  #bytes = 0;
  #untold = 0;

  copied(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
  }

  problem(what: unknown): void {
    if (this.#problems.length >= MOST_PROBLEMS) this.#untold += 1;
    else this.#problems.push(tell(what));
  }

  finish(): ArchiveReport {
    const more = this.#untold === 0 ? [] : [`${this.#untold} more problems.`];
    return { files: this.#files, bytes: this.#bytes, problems: [...this.#problems, ...more] };
  }
}

/** What went wrong and, where that is known, what it came from. */
function tell(what: unknown): string {
  if (!(what instanceof Error)) return String(what);
  return what.cause instanceof Error ? `${what.message} (${what.cause.message})` : what.message;
}
