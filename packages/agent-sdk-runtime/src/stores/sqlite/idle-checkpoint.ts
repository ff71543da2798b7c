const firstDelayMs = 2000;
const longestDelayMs = 30_000;

/**
 * Calls `checkpoint` some seconds after the last commit, and again at growing intervals while others
 * prevent it. Never keeps the process alive.
 */
export class IdleCheckpoint {
  readonly #checkpoint: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;

  constructor(checkpoint: () => boolean) {
    this.#checkpoint = checkpoint;
  }

  /** Tells of a commit. */
  committed(): void {
    if (this.#timer !== undefined && this.#delayMs === firstDelayMs) this.#timer.refresh();
    else this.#schedule(firstDelayMs);
  }

  /** Ends it. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#delayMs = delayMs;
    this.#timer = setTimeout(() => this.#due(), delayMs).unref();
  }

  #due(): void {
    this.#timer = undefined;
    if (!this.#checkpoint()) this.#schedule(Math.min(this.#delayMs * 2, longestDelayMs));
  }
}
