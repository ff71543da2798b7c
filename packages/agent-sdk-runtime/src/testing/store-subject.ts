import type { SessionStore } from "../stores/session-store.ts";

/** One place where sessions live, empty at first. */
export interface StorePlace {
  /** Another opening of it, not opened yet. */
  store(): SessionStore;
  /** With `multiProcess`: the command line of a program that serves another opening of it by `serveStore`. */
  readonly program?: readonly string[];
  /** Takes away what the place left, once every opening is closed. */
  remove?(): void | Promise<void>;
}

/** What of the contract a store does; cases for the rest are left out. */
export interface StoreSupports {
  /** Several openings of a place write at the same time, each to its own sessions. */
  readonly severalHosts?: boolean;
  /** Opens for reading beside a host. */
  readonly readers?: boolean;
  /** What is stored outlives every opening of the place. */
  readonly persistent?: boolean;
  /** Openings may be in different processes, and one that is killed loses its sessions to the others. */
  readonly multiProcess?: boolean;
}

/** A store with what is needed to put it to the test. */
export interface StoreSubject {
  /** Makes a new place; called for every case. */
  readonly place: () => StorePlace | Promise<StorePlace>;
  readonly supports: StoreSupports;
  /** How long others may take to notice that a process is gone, in milliseconds; default 10,000. */
  readonly patienceMs?: number;
}
