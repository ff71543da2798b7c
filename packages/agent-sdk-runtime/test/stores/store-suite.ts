import type { SessionStore } from "../../src/stores/session-store.ts";
import { commitCases } from "./suite/commit-cases.ts";
import { ownershipCases } from "./suite/ownership-cases.ts";
import { readCases } from "./suite/read-cases.ts";
import { textCases } from "./suite/text-cases.ts";

/** One place where sessions live, empty at first; each call answers another opening of it, not opened yet. */
export interface StorePlace {
  store(): SessionStore;
}

/** One promise of `SessionStore`, checked on a fresh place. Rejects when it is broken. */
export interface StoreCase {
  readonly id: string;
  readonly title: string;
  readonly run: (place: StorePlace) => Promise<void>;
}

/** What every store must do, whatever it is built on. Who runs them closes the stores. */
export const storeCases: readonly StoreCase[] = [
  ...commitCases,
  ...ownershipCases,
  ...readCases,
  ...textCases,
];
