import { delay } from "../../base/deadline.ts";
import { endMarked, findMarked, type MarkedProcess } from "../../harness/process-registry.ts";
import { isAlive } from "../../harness/process-table.ts";

/** For a process to be gone after SIGKILL, at most. */
export const KILL_TAKES_MS = 250;

/**
 * What a program has started. Tools run in sessions of their own and outlive it: they are found by its mark,
 * and those that gave up their environment by descent, which only shows while their ancestors live.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #isMarked: (owner: string) => boolean;
  #seen: readonly MarkedProcess[] = [];

  constructor(root: number, owner: string) {
    this.#root = root;
    this.#isMarked = (mark) => mark === owner;
  }

  /** Takes down who belongs to it now, for `end`. */
  look(): void {
    this.#seen = [...this.#seen, ...findMarked({ owner: this.#isMarked }).processes];
  }

  /**
   * Ends all of it, the root included. Whatever the limit, what gave up its environment gets the moment that
   * SIGKILL takes: the kernel ends a process only when it gets to it.
   */
  async end(limitMs: number): Promise<void> {
    const deadline = Date.now() + limitMs;
    const half = limitMs / 2;
    const { supported } = await endMarked({ owner: this.#isMarked }, { termMs: half, killMs: half });
    if (!supported) kill(-this.#root);
    const left = this.#seen.filter(isAlive);
    for (const { pid } of left) kill(pid);
    const last = Math.max(deadline, Date.now() + KILL_TAKES_MS);
    while (left.some(isAlive) && Date.now() < last) await delay(5);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}
