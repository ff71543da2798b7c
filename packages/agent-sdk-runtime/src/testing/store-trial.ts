import assert from "node:assert/strict";
import { delay } from "../base/deadline.ts";
import type { SessionStore } from "../stores/session-store.ts";
import { RemoteStore } from "./remote-store.ts";
import type { StorePlace, StoreSupports } from "./store-subject.ts";

/** One promise of the contract, checked on a new place. */
export interface StoreCase {
  readonly id: string;
  readonly title: string;
  /** Left out for stores that do not support all of these. */
  readonly needs?: readonly (keyof StoreSupports)[];
  readonly check: (trial: StoreTrial) => Promise<void>;
}

/** A new place for one case, which closes all that was opened there. */
export class StoreTrial implements AsyncDisposable {
  readonly #place: StorePlace;
  readonly #patienceMs: number;
  readonly #stores: SessionStore[] = [];
  readonly #processes: RemoteStore[] = [];

  constructor(place: StorePlace, patienceMs: number) {
    this.#place = place;
    this.#patienceMs = patienceMs;
  }

  /** Another opening, not opened yet. */
  store(): SessionStore {
    const store = this.#place.store();
    this.#stores.push(store);
    return store;
  }

  /** Another opening, for writing. */
  async host(): Promise<SessionStore> {
    const store = this.store();
    await store.open("host");
    return store;
  }

  /** Another opening, for reading. */
  async reader(): Promise<SessionStore> {
    const store = this.store();
    await store.open("reader");
    return store;
  }

  /** Another opening in a process of its own, for writing. */
  async elsewhere(): Promise<RemoteStore> {
    const { program } = this.#place;
    assert.ok(program !== undefined, "a place that supports multiProcess names the `program` that serves it");
    const remote = new RemoteStore(program);
    this.#processes.push(remote);
    await remote.call("open", "host");
    return remote;
  }

  /** Tries again until it holds, for stores that need a moment to notice that a process is gone. */
  async eventually<Result>(look: () => Promise<Result>): Promise<Result> {
    const until = Date.now() + this.#patienceMs;
    for (;;) {
      try {
        return await look();
      } catch (error) {
        if (Date.now() > until) throw error;
        await delay(50);
      }
    }
  }

  /** Closes every opening of this process. */
  async close(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ends = await Promise.allSettled([this.close(), ...this.#processes.map((remote) => remote.kill())]);
    await this.#place.remove?.();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }
}
