import type { TurnRecord } from "./session-state.ts";

/** Promises of turns that have not ended, in this process. */
export class TurnWaiters {
  readonly #waiting = new Map<string, PromiseWithResolvers<TurnRecord>>();

  /** Resolves with the turn once it has ended; rejects when this process cannot follow it any further. */
  wait(turnId: string): Promise<TurnRecord> {
    const known = this.#waiting.get(turnId);
    if (known !== undefined) return known.promise;
    const fresh = Promise.withResolvers<TurnRecord>();
    // Whoever asked may never look: an unread failure must not end the process.
    fresh.promise.catch(() => undefined);
    this.#waiting.set(turnId, fresh);
    return fresh.promise;
  }

  /** Tells those who wait for turns that have ended. */
  settle(turns: readonly TurnRecord[]): void {
    for (const turn of turns) {
      if (turn.status === "queued" || turn.status === "running") continue;
      this.#waiting.get(turn.turnId)?.resolve(turn);
      this.#waiting.delete(turn.turnId);
    }
  }

  /** Tells everybody that nothing more will come. */
  fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
