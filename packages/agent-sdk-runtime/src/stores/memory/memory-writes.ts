import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { CommitResult, HostInfo, NewSession, OwnedSession, SessionWrite } from "../session-store.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import { type MemorySession, applyWrite, checkEvents, emptySession, ownedSession } from "./memory-session.ts";

/** Adds a session that this host owns. An id is never used again, not even that of a removed session. */
export function createSession(database: MemoryDatabase, host: HostInfo, session: NewSession): OwnedSession {
  if (database.sessions.has(session.id) || database.removed.has(session.id)) {
    const message = `There is, or was, a session ${session.id} already. Choose another id.`;
    throw new AgentRuntimeError("invalid-input", message);
  }
  const made = emptySession(session, host.hostId);
  database.sessions.set(session.id, made);
  database.changed();
  return ownedSession(made, host);
}

/** Takes a session unless another host has it. */
export function acquireSession(database: MemoryDatabase, host: HostInfo, sessionId: string): OwnedSession {
  const session = found(database, sessionId);
  const holder = session.ownerHost === undefined ? undefined : database.hosts.get(session.ownerHost);
  if (holder !== undefined && holder.hostId !== host.hostId) {
    const by = `host ${holder.hostId} (process ${holder.pid})`;
    const message = `Session ${sessionId} is in use by ${by}. Use it there, or close that store.`;
    throw new AgentRuntimeError("owned-elsewhere", message);
  }
  session.ownerHost = host.hostId;
  session.epoch += 1;
  database.changed();
  return ownedSession(session, host);
}

/** Lets a session go, if this host has it under that epoch. */
export function releaseSession(
  database: MemoryDatabase,
  host: HostInfo,
  sessionId: string,
  epoch: number,
): void {
  const session = database.sessions.get(sessionId);
  if (session === undefined || !isHeld(session, host, epoch)) return;
  session.ownerHost = undefined;
  database.changed();
}

/** Writes what can be written and names what cannot; throws before anything is written. */
export function commitWrites(
  database: MemoryDatabase,
  host: HostInfo,
  writes: readonly SessionWrite[],
): readonly CommitResult[] {
  // A copy is made, or fails, before anything is written.
  const copies = writes.map((write) => JSON.parse(JSON.stringify(write)) as SessionWrite);
  for (const write of copies) checkEvents(write);
  return copies.map((write) => commitWrite(database, host, write));
}

function commitWrite(database: MemoryDatabase, host: HostInfo, write: SessionWrite): CommitResult {
  const { sessionId } = write;
  const session = database.sessions.get(sessionId);
  if (session === undefined) return { sessionId, ok: false, code: "session-not-found" };
  if (!isHeld(session, host, write.epoch)) return { sessionId, ok: false, code: "fenced" };
  if (session.lastCommitId !== write.commitId) {
    if (session.events.length !== write.expectedSeq) return { sessionId, ok: false, code: "conflict" };
    applyWrite(session, write, () => database.nextPosition());
    database.changed();
  }
  return { sessionId, ok: true, position: session.lastPosition };
}

/** Removes a session with all that belongs to it but its last event, if this host has it under that epoch. */
export function removeSession(
  database: MemoryDatabase,
  host: HostInfo,
  sessionId: string,
  epoch: number,
): void {
  const session = found(database, sessionId);
  if (!isHeld(session, host, epoch)) {
    throw new AgentRuntimeError("fenced", `Session ${sessionId} was taken by another host. Delete it there.`);
  }
  const lastEvent = session.events.at(-1);
  database.sessions.delete(sessionId);
  database.removed.set(sessionId, {
    headSeq: session.events.length,
    ...(lastEvent === undefined ? undefined : { lastEvent }),
  });
  database.changed();
}

function isHeld(session: MemorySession, host: HostInfo, epoch: number): boolean {
  return session.ownerHost === host.hostId && session.epoch === epoch;
}

function found(database: MemoryDatabase, sessionId: string): MemorySession {
  const session = database.sessions.get(sessionId);
  if (session !== undefined) return session;
  throw new AgentRuntimeError(
    "session-not-found",
    `There is no session ${sessionId} in this store. List the sessions to see their ids.`,
  );
}
