import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AskRecord, TurnRecord } from "../../session/session-state.ts";
import type { ProjectionWrite, SessionWrite } from "../session-store.ts";
import { toColumn } from "./text-column.ts";

interface EncodedProjection {
  readonly projection: string;
  readonly snapshot: string;
  readonly rows: readonly { readonly row_id: string; readonly ordinal: number; readonly body: string }[];
}

/** A session's part of a commit as columns, made before the write lock is taken. */
export interface EncodedWrite {
  readonly sessionId: string;
  readonly id: string;
  readonly epoch: number;
  readonly commitId: string;
  readonly expectedSeq: number;
  readonly updatedAt: number;
  readonly state: string;
  readonly snapshot: string;
  readonly binding: string | undefined;
  readonly events: readonly { readonly type: string; readonly body: string }[];
  readonly turns: readonly ReturnType<typeof encodeTurn>[];
  readonly asks: readonly ReturnType<typeof encodeAsk>[];
  readonly projections: readonly EncodedProjection[];
}

function encodeEvent(event: AgentRuntimeEvent): { type: string; body: string } {
  return { type: event.type, body: JSON.stringify(event) };
}

function encodeTurn(turn: TurnRecord): {
  turn_id: string;
  queued_seq: number;
  status: string;
  idempotency_key: string | null;
  body: string;
} {
  const key = turn.idempotencyKey;
  return {
    turn_id: toColumn(turn.turnId),
    queued_seq: turn.seq.queued,
    status: turn.status,
    idempotency_key: key === undefined ? null : toColumn(key),
    body: JSON.stringify(turn),
  };
}

function encodeAsk(ask: AskRecord): { request_id: string; seq: number; status: string; body: string } {
  const { requestId, seq, status } = ask;
  return { request_id: toColumn(requestId), seq, status, body: JSON.stringify(ask) };
}

function encodeProjection({ snapshot, rows }: ProjectionWrite): EncodedProjection {
  return {
    projection: toColumn(snapshot.projection),
    snapshot: JSON.stringify(snapshot),
    rows: rows.map(({ rowId, ordinal, body }) => ({
      row_id: toColumn(rowId),
      ordinal,
      body: JSON.stringify(body),
    })),
  };
}

/** Throws when the events are not the session's next ones in order: a fault of the caller. */
function checkEvents({ sessionId, expectedSeq, events }: SessionWrite): void {
  for (const [index, event] of events.entries()) {
    const seq = expectedSeq + 1 + index;
    if (event.seq === seq && event.sessionId === sessionId) continue;
    throw new Error(
      `A commit to session ${sessionId} has the event ${event.seq} of ${event.sessionId} where its own ${seq} belongs.`,
    );
  }
}

/** Turns a session's part of a commit into columns; throws a plain error when its events are out of order. */
export function encodeWrite(write: SessionWrite): EncodedWrite {
  checkEvents(write);
  const { sessionId, epoch, expectedSeq, updatedAt } = write;
  return {
    sessionId,
    epoch,
    expectedSeq,
    updatedAt,
    id: toColumn(sessionId),
    commitId: toColumn(write.commitId),
    state: JSON.stringify(write.state),
    snapshot: JSON.stringify(write.snapshot),
    binding: write.binding === undefined ? undefined : JSON.stringify(write.binding),
    events: write.events.map(encodeEvent),
    turns: write.turns.map(encodeTurn),
    asks: write.asks.map(encodeAsk),
    projections: write.projections.map(encodeProjection),
  };
}
