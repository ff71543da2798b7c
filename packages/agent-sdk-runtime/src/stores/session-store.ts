import type {
  AgentRuntimeEvent,
  Json,
  ProjectionSnapshot,
  RuntimeSnapshot,
} from "@claxedo/agent-event-runtime";
import type { AskRecord, SessionState, TurnRecord } from "../session/session-state.ts";
import type { HarnessChoice } from "../harness/harness.ts";

/** A session as its creator describes it. */
export interface NewSession {
  readonly id: string;
  readonly directory: string;
  readonly harness: HarnessChoice;
  readonly model?: string;
  readonly title?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A session as stored. */
export interface StoredSession extends NewSession {
  readonly updatedAt: number;
  /** The last seq; 0 for an empty log. */
  readonly headSeq: number;
  readonly state: SessionState;
  /** The host that has it, if that host is alive. */
  readonly owner?: HostInfo;
}

/** A session with everything its owner needs to go on. */
export interface OwnedSession {
  readonly session: StoredSession;
  /** Rises at each taking; every commit names it. */
  readonly epoch: number;
  /** The host that had it before, if that was another one and did not let go. */
  readonly lostHost?: string;
  readonly snapshot: RuntimeSnapshot;
  readonly binding?: Json;
}

/** Who holds a session, for messages. */
export interface HostInfo {
  readonly hostId: string;
  readonly pid: number;
}

/** One row of a projection's output, keyed by `rowId`. */
export interface ProjectionRow {
  readonly rowId: string;
  /** Rows are listed by this. */
  readonly ordinal: number;
  readonly body: Json;
}

/** Where a projection stands, with the rows that changed since it was last stored. */
export interface ProjectionWrite {
  readonly snapshot: ProjectionSnapshot;
  readonly rows: readonly ProjectionRow[];
}

/** What one session adds in one commit: all of it or nothing. */
export interface SessionWrite {
  readonly sessionId: string;
  readonly epoch: number;
  /** Unique per session; the last one is remembered, so a repeated commit is answered as done. */
  readonly commitId: string;
  /** The head that this commit builds on. */
  readonly expectedSeq: number;
  /** In order, without a gap from `expectedSeq + 1`. */
  readonly events: readonly AgentRuntimeEvent[];
  readonly snapshot: RuntimeSnapshot;
  readonly state: SessionState;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Turns and asks that changed, whole. */
  readonly turns: readonly TurnRecord[];
  readonly asks: readonly AskRecord[];
  /** What the harness needs to resume or to look its own record up; kept when absent. */
  readonly binding?: Json;
  readonly projections: readonly ProjectionWrite[];
}

/** The answer to one session's part of a commit. */
export type CommitResult =
  | {
      readonly sessionId: string;
      readonly ok: true;
      /** Store-wide position of the last event. */ readonly position: number;
    }
  | {
      readonly sessionId: string;
      readonly ok: false;
      readonly code: "fenced" | "conflict" | "session-not-found";
    };

/** A page request over something numbered. */
export interface PageOptions {
  /** Only what comes after this number; default 0. */
  readonly after?: number;
  /** At most this many; default 500. */
  readonly limit?: number;
}

/**
 * Where sessions live. All methods reject with `AgentRuntimeError`: `store-unavailable` (retry may help),
 * `store-full`, `store-corrupt`, `store-newer`, `read-only`, `closed`. Everything a promise has answered
 * survives the death of the process.
 */
export interface SessionStore extends AsyncDisposable {
  /**
   * Opens it once; later calls answer the same. As a `host` it is made when it is missing, migrated,
   * and the host's lease is taken; as a `reader` nothing is written, locked or migrated.
   */
  open(role: "host" | "reader"): Promise<void>;
  /** Names this store in process marks; set by `open`. */
  readonly storeId: string;
  /** Names this opening; set by `open`. */
  readonly hostId: string;

  /** Adds a session, owned by this host. An id that is or was in use, also by a removed session, is `invalid-input`. */
  create(session: NewSession): Promise<OwnedSession>;
  /** Takes a session that is free, or owned by this host already; the epoch rises. `owned-elsewhere` names a live holder. */
  acquire(sessionId: string): Promise<OwnedSession>;
  /** Lets a session go. A stale epoch is ignored. */
  release(sessionId: string, epoch: number): Promise<void>;
  /** Writes all or nothing; a refused session is named and the others are written without it. */
  commit(writes: readonly SessionWrite[]): Promise<readonly CommitResult[]>;
  /**
   * Removes a session for good, with all that belongs to it but its last event. `session`, `sessions` and
   * `unsettled` do not know it any more; to take, write or remove it is `session-not-found`; its id is not
   * used again. `head` still answers, and `events` answers that last event alone: so every stream, in any
   * process, ends with the `session.deleted` that the host committed before. A stale epoch is `fenced`.
   */
  remove(sessionId: string, epoch: number): Promise<void>;

  session(sessionId: string): Promise<StoredSession | undefined>;
  /** Latest first by creation. */
  sessions(options?: { readonly limit?: number }): Promise<readonly StoredSession[]>;
  /** Ids of sessions that no live host owns, and that have a running turn or were not let go by the last one. */
  unsettled(): Promise<readonly string[]>;
  turn(sessionId: string, turnId: string): Promise<TurnRecord | undefined>;
  turnByKey(sessionId: string, idempotencyKey: string): Promise<TurnRecord | undefined>;
  /** In order of acceptance; `after` counts in `seq.queued`. */
  turns(sessionId: string, options?: PageOptions): Promise<readonly TurnRecord[]>;
  asks(sessionId: string): Promise<readonly AskRecord[]>;
  /** In order of seq. Of a removed session the last one alone. */
  events(sessionId: string, options?: PageOptions): Promise<readonly AgentRuntimeEvent[]>;
  /** The last seq, also of a removed session; `undefined` when there never was such a session. */
  head(sessionId: string): Promise<number | undefined>;
  /** Stored rows by ordinal, and the snapshot they belong to: events after its seq are not in them yet. */
  rows(
    sessionId: string,
    projection: string,
    options?: PageOptions,
  ): Promise<{ readonly snapshot?: ProjectionSnapshot; readonly rows: readonly ProjectionRow[] }>;
  projection(sessionId: string, projection: string): Promise<ProjectionSnapshot | undefined>;
  /** A number that changes whenever anything was written, by this opening or another. Cheap enough to poll. */
  version(): Promise<number>;
}
