import type { CommitResult, SessionWrite } from "../session-store.ts";
import type { SessionHead } from "./append-statements.ts";
import { atomically, type HostConnection } from "./connection.ts";
import { encodeWrite, type EncodedWrite } from "./encode-write.ts";

/**
 * Encodes the writes now, and answers what writes them in one transaction: that can be called again when
 * another process was in the way.
 */
export function commitOf(
  writes: readonly SessionWrite[],
): (connection: HostConnection) => readonly CommitResult[] {
  const encoded = writes.map(encodeWrite);
  return (connection) =>
    atomically(connection, () => encoded.map((write) => commitSession(connection, write)));
}

function commitSession(connection: HostConnection, write: EncodedWrite): CommitResult {
  const { sessionId } = write;
  const head = connection.append.head.get({ id: write.id });
  if (head === undefined) return { sessionId, ok: false, code: "session-not-found" };
  if (head.owner_host !== connection.host.hostId || head.epoch !== write.epoch) {
    return { sessionId, ok: false, code: "fenced" };
  }
  if (head.last_commit_id === write.commitId) return { sessionId, ok: true, position: head.last_position };
  if (head.head_seq !== write.expectedSeq) return { sessionId, ok: false, code: "conflict" };
  const position = appendEvents(connection, head, write);
  updateSession(connection, head.session, position, write);
  writeCaches(connection, head.session, write);
  return { sessionId, ok: true, position };
}

function appendEvents({ append }: HostConnection, head: SessionHead, write: EncodedWrite): number {
  let position = head.last_position;
  let seq = head.head_seq;
  for (const { type, body } of write.events) {
    seq += 1;
    position = append.event.run({ session: head.session, seq, type, body }).id;
  }
  return position;
}

function updateSession(
  { append }: HostConnection,
  session: number,
  position: number,
  write: EncodedWrite,
): void {
  append.session.run({
    session,
    head_seq: write.expectedSeq + write.events.length,
    last_commit_id: write.commitId,
    last_position: position,
    updated_at: write.updatedAt,
    state: write.state,
    snapshot: write.snapshot,
  });
  if (write.binding !== undefined) append.binding.run({ session, binding: write.binding });
}

function writeCaches({ append }: HostConnection, session: number, write: EncodedWrite): void {
  for (const turn of write.turns) append.turn.run({ session, ...turn });
  for (const ask of write.asks) append.ask.run({ session, ...ask });
  for (const { projection, snapshot, rows } of write.projections) {
    append.projection.run({ session, projection, snapshot });
    for (const row of rows) append.row.run({ session, projection, ...row });
  }
}
