import type { AgentRuntimeEvent, Json, ProjectionSnapshot } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { AskRecord, TurnRecord } from "../../session/session-state.ts";
import type { PageOptions, ProjectionRow, StoredSession } from "../session-store.ts";
import { type Connection, consistently, livenessProbe } from "./connection.ts";
import { decodeSession, ownerOf, parseStored } from "./decode.ts";
import { fromColumn, toColumn } from "./text-column.ts";

const defaultLimit = 500;

function limitOf(limit: number = defaultLimit): number {
  if (Number.isNaN(limit) || limit < 0) {
    throw new AgentRuntimeError("invalid-input", "The limit of a page is a number, 0 or more.");
  }
  return Math.min(Math.trunc(limit), Number.MAX_SAFE_INTEGER);
}

function pageOf({ after, limit }: PageOptions = {}): { after: number; limit: number } {
  return { after: after ?? Number.MIN_SAFE_INTEGER, limit: limitOf(limit) };
}

function keyOf({ read }: Connection, sessionId: string): number | undefined {
  return read.key.get({ id: toColumn(sessionId) })?.session;
}

/** One session with its owner. */
export function readSession(connection: Connection, sessionId: string): StoredSession | undefined {
  const row = connection.read.session.get({ id: toColumn(sessionId) });
  if (row === undefined) return undefined;
  return decodeSession(connection.path, row, ownerOf(row, livenessProbe(connection)));
}

/** Sessions, latest first. */
export function readSessions(connection: Connection, limit?: number): readonly StoredSession[] {
  const isAlive = livenessProbe(connection);
  const rows = connection.read.sessions.all({ limit: limitOf(limit) });
  return rows.map((row) => decodeSession(connection.path, row, ownerOf(row, isAlive)));
}

/** Ids of sessions that no live host owns, and that have a running turn or were not let go. */
export function readUnsettled(connection: Connection): readonly string[] {
  const { read } = connection;
  const isAlive = livenessProbe(connection);
  const free = [...read.running.all({}), ...read.owned.all({})].filter(
    ({ owner_host: owner }) => owner === null || !isAlive(owner),
  );
  return [...new Set(free.map(({ id }) => fromColumn(id)))];
}

/** The last seq, also of a removed session. */
export function readHead({ read }: Connection, sessionId: string): number | undefined {
  const id = toColumn(sessionId);
  return (read.key.get({ id }) ?? read.removed.get({ id }))?.head_seq;
}

/** One turn. */
export function readTurn(connection: Connection, sessionId: string, turnId: string): TurnRecord | undefined {
  const session = keyOf(connection, sessionId);
  if (session === undefined) return undefined;
  const row = connection.read.turn.get({ session, turn_id: toColumn(turnId) });
  return row === undefined ? undefined : parseStored(connection.path, row.body);
}

/** The turn that was started with this key. */
export function readTurnByKey(
  connection: Connection,
  sessionId: string,
  key: string,
): TurnRecord | undefined {
  const session = keyOf(connection, sessionId);
  if (session === undefined) return undefined;
  const row = connection.read.turnByKey.get({ session, idempotency_key: toColumn(key) });
  return row === undefined ? undefined : parseStored(connection.path, row.body);
}

/** A page of turns. */
export function readTurns(
  connection: Connection,
  sessionId: string,
  page?: PageOptions,
): readonly TurnRecord[] {
  const session = keyOf(connection, sessionId);
  if (session === undefined) return [];
  const rows = connection.read.turns.all({ session, ...pageOf(page) });
  return rows.map(({ body }) => parseStored(connection.path, body));
}

/** All asks of a session. */
export function readAsks(connection: Connection, sessionId: string): readonly AskRecord[] {
  const session = keyOf(connection, sessionId);
  if (session === undefined) return [];
  return connection.read.asks.all({ session }).map(({ body }) => parseStored(connection.path, body));
}

/** A page of events; of a removed session the last one alone. */
export function readEvents(
  connection: Connection,
  sessionId: string,
  page?: PageOptions,
): readonly AgentRuntimeEvent[] {
  const bounds = pageOf(page);
  return consistently(connection, () => {
    const session = keyOf(connection, sessionId);
    if (session === undefined) return readLastWord(connection, sessionId, bounds);
    const rows = connection.read.events.all({ session, ...bounds });
    return rows.map(({ body }) => parseStored(connection.path, body));
  });
}

function readLastWord(
  { read, path }: Connection,
  sessionId: string,
  { after, limit }: { after: number; limit: number },
): readonly AgentRuntimeEvent[] {
  const removed = read.removed.get({ id: toColumn(sessionId) });
  if (removed === undefined || removed.last_event === null || removed.head_seq <= after || limit === 0)
    return [];
  return [parseStored(path, removed.last_event)];
}

/** Where a projection stands. */
export function readProjection(
  connection: Connection,
  sessionId: string,
  projection: string,
): ProjectionSnapshot | undefined {
  const session = keyOf(connection, sessionId);
  if (session === undefined) return undefined;
  const row = connection.read.projection.get({ session, projection: toColumn(projection) });
  return row === undefined ? undefined : parseStored(connection.path, row.snapshot);
}

/** A page of a projection's rows, with where the projection stood at that moment. */
export function readRows(
  connection: Connection,
  sessionId: string,
  projection: string,
  page?: PageOptions,
): { readonly snapshot?: ProjectionSnapshot; readonly rows: readonly ProjectionRow[] } {
  const bounds = pageOf(page);
  return consistently(connection, () => {
    const session = keyOf(connection, sessionId);
    if (session === undefined) return { rows: [] };
    const snapshot = readProjection(connection, sessionId, projection);
    const stored = connection.read.rows.all({ session, projection: toColumn(projection), ...bounds });
    const rows = stored.map(({ row_id, ordinal, body }) => ({
      rowId: fromColumn(row_id),
      ordinal,
      body: parseStored<Json>(connection.path, body),
    }));
    return { ...(snapshot === undefined ? {} : { snapshot }), rows };
  });
}
