import { endMarked, findMarked, type MarkedProcess } from "../../harness/process-registry.ts";
import { isAlive } from "../../harness/process-table.ts";

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

  /** Ends all of it, the root included. */
  async end(limitMs: number): Promise<void> {
    const half = limitMs / 2;
    const { supported } = await endMarked({ owner: this.#isMarked }, { termMs: half, killMs: half });
    if (!supported) kill(-this.#root);
    for (const one of this.#seen) if (isAlive(one)) kill(one.pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}
