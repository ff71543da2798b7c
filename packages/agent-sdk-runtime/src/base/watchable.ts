/** A value that can be read at any time, and waited on until it passes a test. */
export class Watchable<Value> {
  #value: Value;
  readonly #waiting = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  /** The value now. */
  get value(): Value {
    return this.#value;
  }

  /** Replaces the value and wakes everybody who waits. */
  set(value: Value): void {
    this.#value = value;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves once the test holds: at once, if it does now. Rejects with the signal's reason when that is aborted. */
  until(test: (value: Value) => boolean, signal?: AbortSignal): Promise<Value> {
    if (test(this.#value)) return Promise.resolve(this.#value);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(look);
        signal?.removeEventListener("abort", abort);
      };
      const look = (): void => {
        if (!test(this.#value)) return;
        settle();
        resolve(this.#value);
      };
      const abort = (): void => {
        settle();
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) return abort();
      this.#waiting.add(look);
      signal?.addEventListener("abort", abort);
    });
  }
}
