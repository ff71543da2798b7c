import type { Json } from "@claxedo/agent-event-runtime";
import { emptySnapshot } from "@claxedo/agent-event-runtime";
import { emptySessionState } from "../../session/session-state.ts";
import type { HostInfo, NewSession, OwnedSession, SessionWrite, StoredSession } from "../session-store.ts";

/** A record as JSON, with the number it is listed by. */
export interface Numbered {
  readonly number: number;
  readonly json: string;
}

/** A projection: where it stands, and its rows by their ids. */
interface MemoryProjection {
  readonly snapshot: string;
  readonly rows: Map<string, Numbered>;
}

/** A session. What callers hand in is kept as JSON, so that nothing is shared with them. */
export interface MemorySession {
  /** As it was created. */
  readonly facts: string;
  ownerHost: string | undefined;
  epoch: number;
  updatedAt: number;
  state: string;
  snapshot: string;
  binding: string | undefined;
  lastCommitId: string | undefined;
  lastPosition: number;
  /** In order of seq, from 1. */
  readonly events: string[];
  readonly turns: Map<string, Numbered>;
  /** Ids of turns by their idempotency keys. */
  readonly keys: Map<string, string>;
  readonly running: Set<string>;
  readonly asks: Map<string, Numbered>;
  readonly projections: Map<string, MemoryProjection>;
}

/** Reads back what was kept. */
export function parsed<Value>(json: string): Value {
  return JSON.parse(json) as Value;
}

/** A session in which nothing has happened. */
export function emptySession(session: NewSession, hostId: string): MemorySession {
  return {
    facts: JSON.stringify(session),
    ownerHost: hostId,
    epoch: 1,
    updatedAt: session.createdAt,
    state: JSON.stringify(emptySessionState),
    snapshot: JSON.stringify(emptySnapshot(session.id)),
    binding: undefined,
    lastCommitId: undefined,
    lastPosition: 0,
    events: [],
    turns: new Map(),
    keys: new Map(),
    running: new Set(),
    asks: new Map(),
    projections: new Map(),
  };
}

/** The session as the contract has it. */
export function storedSession(session: MemorySession, owner: HostInfo | undefined): StoredSession {
  return {
    ...parsed<NewSession>(session.facts),
    updatedAt: session.updatedAt,
    headSeq: session.events.length,
    state: parsed(session.state),
    ...(owner === undefined ? undefined : { owner: { ...owner } }),
  };
}

/** The same with all that its owner needs. */
export function ownedSession(session: MemorySession, owner: HostInfo): OwnedSession {
  return {
    session: storedSession(session, owner),
    epoch: session.epoch,
    snapshot: parsed(session.snapshot),
    ...(session.binding === undefined ? undefined : { binding: parsed<Json>(session.binding) }),
  };
}

/** Throws when the events are not the session's next ones in order: a fault of the caller. */
export function checkEvents({ sessionId, expectedSeq, events }: SessionWrite): void {
  for (const [index, event] of events.entries()) {
    const seq = expectedSeq + 1 + index;
    if (event.seq === seq && event.sessionId === sessionId) continue;
    throw new Error(
      `A commit to session ${sessionId} has the event ${event.seq} of ${event.sessionId} where its own ${seq} belongs.`,
    );
  }
}

/** Writes a commit that nothing speaks against. */
export function applyWrite(session: MemorySession, write: SessionWrite, nextPosition: () => number): void {
  for (const event of write.events) {
    session.events.push(JSON.stringify(event));
    session.lastPosition = nextPosition();
  }
  session.lastCommitId = write.commitId;
  session.updatedAt = write.updatedAt;
  session.state = JSON.stringify(write.state);
  session.snapshot = JSON.stringify(write.snapshot);
  if (write.binding !== undefined) session.binding = JSON.stringify(write.binding);
  for (const turn of write.turns) {
    session.turns.set(turn.turnId, { number: turn.seq.queued, json: JSON.stringify(turn) });
    if (turn.idempotencyKey !== undefined) session.keys.set(turn.idempotencyKey, turn.turnId);
    if (turn.status === "running") session.running.add(turn.turnId);
    else session.running.delete(turn.turnId);
  }
  for (const ask of write.asks)
    session.asks.set(ask.requestId, { number: ask.seq, json: JSON.stringify(ask) });
  for (const { snapshot, rows } of write.projections) {
    const known = session.projections.get(snapshot.projection)?.rows ?? new Map<string, Numbered>();
    for (const row of rows) known.set(row.rowId, { number: row.ordinal, json: JSON.stringify(row) });
    session.projections.set(snapshot.projection, { snapshot: JSON.stringify(snapshot), rows: known });
  }
}
