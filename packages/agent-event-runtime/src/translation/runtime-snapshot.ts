import type { Json } from "../base/json.ts";
import type { KeyedList } from "../base/keyed-list.ts";
import type { OpenItem, RecentItem } from "./open-items.ts";

/**
 * Everything needed to go on translating a session in another process: JSON, and small, since what
 * has ended leaves it. One per session; one lane advances it.
 */
export interface RuntimeSnapshot {
  readonly v: 1;
  readonly sessionId: string;
  /** The last number given to an event; 0 before the first. */
  readonly seq: number;
  /** Frames translated over the session's whole life. */
  readonly frames: number;
  /** The current connection, from 1; 0 before the first. */
  readonly connection: number;
  /** The adapter whose state this is; `""` before the first. */
  readonly adapter: string;
  readonly stateVersion: number;
  readonly state: Json;
  readonly open: readonly OpenItem[];
  readonly recent: readonly RecentItem[];
  /** How often each diagnostic code came up in this connection. */
  readonly diagnostics: KeyedList<number>;
}

/** The snapshot of a session in which nothing has happened. */
export function emptySnapshot(sessionId: string): RuntimeSnapshot {
  return {
    v: 1,
    sessionId,
    seq: 0,
    frames: 0,
    connection: 0,
    adapter: "",
    stateVersion: 0,
    state: null,
    open: [],
    recent: [],
    diagnostics: [],
  };
}
