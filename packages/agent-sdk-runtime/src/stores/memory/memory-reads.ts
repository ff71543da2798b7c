import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { HostInfo, PageOptions, StoredSession } from "../session-store.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import { type MemorySession, type Numbered, parsed, storedSession } from "./memory-session.ts";

const DEFAULT_LIMIT = 500;

/** One session with its owner. */
export function readSession(database: MemoryDatabase, sessionId: string): StoredSession | undefined {
  const session = database.sessions.get(sessionId);
  return session === undefined ? undefined : storedSession(session, ownerOf(database, session));
}

/** Sessions, latest first; of equal time the one that was added later. */
export function readSessions(database: MemoryDatabase, limit?: number): readonly StoredSession[] {
  return [...database.sessions.values()]
    .toReversed()
    .map((session) => storedSession(session, ownerOf(database, session)))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(0, limitOf(limit));
}

/** Ids of sessions with a running turn that no host owns. */
export function readUnsettled(database: MemoryDatabase): readonly string[] {
  return [...database.sessions].flatMap(([id, session]) =>
    (session.running.size > 0 || session.ownerHost !== undefined) && ownerOf(database, session) === undefined
      ? [id]
      : [],
  );
}

/** A page of events; of a removed session the last one alone. */
export function readEvents(
  database: MemoryDatabase,
  sessionId: string,
  page?: PageOptions,
): readonly AgentRuntimeEvent[] {
  const [after, limit] = boundsOf(page);
  const first = Math.max(0, Math.floor(after));
  const removed = database.removed.get(sessionId);
  if (removed?.lastEvent !== undefined && removed.headSeq > after) {
    return [removed.lastEvent].slice(0, limit).map((json) => parsed<AgentRuntimeEvent>(json));
  }
  const events = database.sessions.get(sessionId)?.events ?? [];
  return events.slice(first, first + limit).map((json) => parsed<AgentRuntimeEvent>(json));
}

/** The last seq, also of a removed session. */
export function readHead(database: MemoryDatabase, sessionId: string): number | undefined {
  return database.sessions.get(sessionId)?.events.length ?? database.removed.get(sessionId)?.headSeq;
}

/** A page of records in order of their numbers. */
export function readPage<Value>(records: Iterable<Numbered>, page?: PageOptions): readonly Value[] {
  const [after, limit] = boundsOf(page);
  return [...records]
    .filter((record) => record.number > after)
    .toSorted((a, b) => a.number - b.number)
    .slice(0, limit)
    .map(({ json }) => parsed<Value>(json));
}

function ownerOf(database: MemoryDatabase, session: MemorySession): HostInfo | undefined {
  return session.ownerHost === undefined ? undefined : database.hosts.get(session.ownerHost);
}

function boundsOf({ after, limit }: PageOptions = {}): readonly [after: number, limit: number] {
  return [after ?? Number.NEGATIVE_INFINITY, limitOf(limit)];
}

function limitOf(limit: number = DEFAULT_LIMIT): number {
  if (limit >= 0) return Math.trunc(limit);
  throw new AgentRuntimeError("invalid-input", "The limit of a page is a number, 0 or more.");
}
