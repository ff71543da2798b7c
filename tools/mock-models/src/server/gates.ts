import { EventEmitter, once } from "node:events";

/** Named gates. Each is closed until it is released, and stays released. */
export class Gates {
  readonly #released = new Set<string>();
  readonly #releases = new EventEmitter().setMaxListeners(0);

  /** Resolves at once when the gate is released. Rejects when the signal is aborted. */
  async pass(name: string, signal: AbortSignal): Promise<void> {
    if (!this.isReleased(name)) await once(this.#releases, eventOf(name), { signal });
  }

  /** Whether the gate has been released. */
  isReleased(name: string): boolean {
    return this.#released.has(name);
  }

  /** Releases the gate, whether somebody waits at it or not. */
  release(name: string): void {
    this.#released.add(name);
    this.#releases.emit(eventOf(name));
  }
}

// The names of events that Node gives a meaning, such as "error", are names of gates as well.
function eventOf(name: string): string {
  return `gate ${name}`;
}
