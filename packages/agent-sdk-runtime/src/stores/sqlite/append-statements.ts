import type { Kysely } from "kysely";
import type { Prepare, Statement } from "./compiled-statement.ts";
import type {
  AsksTable,
  ProjectionRowsTable,
  ProjectionsTable,
  SessionsTable,
  Tables,
  TurnsTable,
} from "./tables.ts";

/** What a commit must know of a session. */
export type SessionHead = Pick<
  SessionsTable,
  "owner_host" | "epoch" | "head_seq" | "last_commit_id" | "last_position"
> & { readonly session: number };

/** The statements of a commit. */
export interface AppendStatements {
  readonly head: Statement<{ id: string }, SessionHead>;
  readonly event: Statement<{ session: number; seq: number; type: string; body: string }>;
  readonly session: Statement<{
    session: number;
    head_seq: number;
    last_commit_id: string;
    last_position: number;
    updated_at: number;
    state: string;
    snapshot: string;
  }>;
  readonly binding: Statement<{ session: number; binding: string }>;
  readonly turn: Statement<Row<TurnsTable>>;
  readonly ask: Statement<Row<AsksTable>>;
  readonly projection: Statement<Row<ProjectionsTable>>;
  readonly row: Statement<Row<ProjectionRowsTable>>;
}

/** A mapped copy: interfaces have no index signature, which bindings need. */
type Row<Table> = { readonly [Column in keyof Table]: Table[Column] };

/** Compiles the statements of a commit. */
export function appendStatements(db: Kysely<Tables>, prepare: Prepare): AppendStatements {
  return {
    head: prepare((param) =>
      db
        .selectFrom("sessions")
        .select(["session", "owner_host", "epoch", "head_seq", "last_commit_id", "last_position"])
        .where("id", "=", param.id),
    ),
    event: prepare((param) =>
      db
        .insertInto("events")
        .values({ session: param.session, seq: param.seq, type: param.type, body: param.body }),
    ),
    session: prepare((param) =>
      db
        .updateTable("sessions")
        .set({
          head_seq: param.head_seq,
          last_commit_id: param.last_commit_id,
          last_position: param.last_position,
          updated_at: param.updated_at,
          state: param.state,
          snapshot: param.snapshot,
        })
        .where("session", "=", param.session),
    ),
    binding: prepare((param) =>
      db.updateTable("sessions").set({ binding: param.binding }).where("session", "=", param.session),
    ),
    ...cacheStatements(db, prepare),
  };
}

type CacheStatements = Pick<AppendStatements, "turn" | "ask" | "projection" | "row">;

function cacheStatements(db: Kysely<Tables>, prepare: Prepare): CacheStatements {
  return {
    turn: prepare(({ session, turn_id, queued_seq, status, idempotency_key, body }) =>
      db
        .insertInto("turns")
        .values({ session, turn_id, queued_seq, status, idempotency_key, body })
        .onConflict((conflict) => conflict.columns(["session", "turn_id"]).doUpdateSet({ status, body })),
    ),
    ask: prepare(({ session, request_id, seq, status, body }) =>
      db
        .insertInto("asks")
        .values({ session, request_id, seq, status, body })
        .onConflict((conflict) => conflict.columns(["session", "request_id"]).doUpdateSet({ status, body })),
    ),
    projection: prepare(({ session, projection, snapshot }) =>
      db
        .insertInto("projections")
        .values({ session, projection, snapshot })
        .onConflict((conflict) => conflict.columns(["session", "projection"]).doUpdateSet({ snapshot })),
    ),
    row: prepare(({ session, projection, row_id, ordinal, body }) =>
      db
        .insertInto("projection_rows")
        .values({ session, projection, row_id, ordinal, body })
        .onConflict((conflict) =>
          conflict.columns(["session", "projection", "row_id"]).doUpdateSet({ ordinal, body }),
        ),
    ),
  };
}
