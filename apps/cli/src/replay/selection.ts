import type { ReplayedSession, Telling } from "./replayed-sessions.ts";

/**
 * Lets through what is told of the session that the harness knows by this name, of every session without
 * one. What comes before the name is known waits for it.
 */
export class Selection {
  readonly #nativeId: string | undefined;
  readonly #waiting = new Map<ReplayedSession, Telling[]>();

  constructor(nativeId: string | undefined) {
    this.#nativeId = nativeId;
  }

  /** Whether the session is selected, as far as is known. */
  has({ nativeIds }: ReplayedSession): boolean {
    return this.#nativeId === undefined || nativeIds.includes(this.#nativeId);
  }

  /** What may pass now, in order. */
  pass(telling: Telling): readonly Telling[] {
    const { session } = telling;
    const waiting = this.#waiting.get(session) ?? [];
    if (this.has(session)) {
      this.#waiting.delete(session);
      return [...waiting, telling];
    }
    waiting.push(telling);
    this.#waiting.set(session, waiting);
    return [];
  }
}
