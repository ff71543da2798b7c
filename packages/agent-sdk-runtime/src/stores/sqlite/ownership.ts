import { emptySnapshot } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import { emptySessionState } from "../../session/session-state.ts";
import type { NewSession, OwnedSession } from "../session-store.ts";
import { atomically, type HostConnection } from "./connection.ts";
import { decodeSession, parseStored } from "./decode.ts";
import type { SessionRow } from "./read-statements.ts";
import { confirmTail } from "./tail-mark.ts";
import { toColumn } from "./text-column.ts";

function notFound(sessionId: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "session-not-found",
    `There is no session ${sessionId} in this store. List the sessions to see their ids.`,
  );
}

function rowOf({ read }: HostConnection, sessionId: string): SessionRow {
  const row = read.session.get({ id: toColumn(sessionId) });
  if (row === undefined) throw notFound(sessionId);
  return row;
}

function owned(connection: HostConnection, sessionId: string, lostHost?: string): OwnedSession {
  const { path, host, read } = connection;
  const row = rowOf(connection, sessionId);
  const resume = read.resume.get({ id: row.id });
  if (resume === undefined) throw notFound(sessionId);
  return {
    session: decodeSession(path, row, host),
    epoch: row.epoch,
    ...(lostHost === undefined ? {} : { lostHost }),
    snapshot: parseStored(path, resume.snapshot),
    ...(resume.binding === null ? {} : { binding: parseStored(path, resume.binding) }),
  };
}

/** Adds a session that this host owns. */
export function createSession(connection: HostConnection, session: NewSession): OwnedSession {
  const optional = (text: string | undefined) => (text === undefined ? null : toColumn(text));
  return atomically(connection, () => {
    const id = toColumn(session.id);
    if ((connection.read.key.get({ id }) ?? connection.read.removed.get({ id })) !== undefined) {
      const message = `The session id ${session.id} is or was in use. Choose another one.`;
      throw new AgentRuntimeError("invalid-input", message);
    }
    connection.ownership.create.run({
      id,
      directory: toColumn(session.directory),
      harness: toColumn(session.harness.id),
      access: session.harness.access,
      model: optional(session.model),
      title: optional(session.title),
      created_at: session.createdAt,
      owner_host: connection.host.hostId,
      state: JSON.stringify(emptySessionState),
      snapshot: JSON.stringify(emptySnapshot(session.id)),
    });
    return owned(connection, session.id);
  });
}

/** Takes a session unless another host lives that has it. */
export function acquireSession(connection: HostConnection, sessionId: string): OwnedSession {
  const { host, hosts, ownership } = connection;
  return atomically(connection, () => {
    const { owner_host: holder, pid } = rowOf(connection, sessionId);
    const other = holder === null || holder === host.hostId ? undefined : holder;
    if (other !== undefined && hosts.isAlive(other)) {
      const by = `host ${other} (process ${pid ?? "unknown"})`;
      const message = `Session ${sessionId} is in use by ${by}. Use it there, or end that process.`;
      throw new AgentRuntimeError("owned-elsewhere", message);
    }
    ownership.take.run({ id: toColumn(sessionId), owner_host: host.hostId });
    return owned(connection, sessionId, other);
  });
}

/** Lets a session go, if this host has it under that epoch. */
export function releaseSession(connection: HostConnection, sessionId: string, epoch: number): void {
  const { host, ownership } = connection;
  atomically(connection, () => {
    ownership.letGo.run({ id: toColumn(sessionId), owner_host: host.hostId, epoch });
  });
}

/** Removes a session with all that belongs to it but its last event, if this host has it under that epoch. */
export function removeSession(connection: HostConnection, sessionId: string, epoch: number): void {
  atomically(connection, () => {
    const { id, session, owner_host, epoch: current, head_seq } = rowOf(connection, sessionId);
    if (owner_host !== connection.host.hostId || current !== epoch) {
      const message = `Session ${sessionId} was taken by another host. Delete it there.`;
      throw new AgentRuntimeError("fenced", message);
    }
    const [last] = connection.read.events.all({ session, after: head_seq - 1, limit: 1 });
    connection.ownership.remember.run({ id, head_seq, last_event: last?.body ?? null });
    for (const removal of connection.ownership.removals) removal.run({ session });
  });
}

/** Lets everything go that this host has, and takes it off the list. */
export function signOff(connection: HostConnection): void {
  const { host, ownership, sqlite } = connection;
  atomically(connection, () => {
    ownership.letAllGo.run({ owner_host: host.hostId });
    ownership.removeHost.run({ host_id: host.hostId });
    confirmTail(sqlite);
  });
}
