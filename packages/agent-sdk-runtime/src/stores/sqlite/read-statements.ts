import { type Kysely, type Selectable, sql } from "kysely";
import type { Prepare, Statement } from "./compiled-statement.ts";
import type { SessionsTable, Tables } from "./tables.ts";

type Body = { readonly body: string };
type Page = { session: number; after: number; limit: number };

/** A session's row as a listing needs it, with the pid of its owner. */
export type SessionRow = Omit<
  Selectable<SessionsTable>,
  "binding" | "snapshot" | "last_commit_id" | "last_position"
> & {
  readonly pid: number | null;
};

/** The statements of readers. */
export interface ReadStatements {
  readonly key: Statement<{ id: string }, { session: number; head_seq: number }>;
  readonly removed: Statement<{ id: string }, { head_seq: number; last_event: string | null }>;
  readonly session: Statement<{ id: string }, SessionRow>;
  readonly sessions: Statement<{ limit: number }, SessionRow>;
  readonly resume: Statement<{ id: string }, { snapshot: string; binding: string | null }>;
  readonly running: Statement<Record<never, never>, { id: string; owner_host: string | null }>;
  readonly owned: Statement<Record<never, never>, { id: string; owner_host: string | null }>;
  readonly turn: Statement<{ session: number; turn_id: string }, Body>;
  readonly turnByKey: Statement<{ session: number; idempotency_key: string }, Body>;
  readonly turns: Statement<Page, Body>;
  readonly asks: Statement<{ session: number }, Body>;
  readonly events: Statement<Page, Body>;
  readonly projection: Statement<{ session: number; projection: string }, { snapshot: string }>;
  readonly rows: Statement<Page & { projection: string }, { row_id: string; ordinal: number; body: string }>;
  readonly meta: Statement<{ name: string }, { value: string }>;
}

/** Compiles the statements of readers. */
export function readStatements(db: Kysely<Tables>, prepare: Prepare): ReadStatements {
  return {
    ...sessionReads(db, prepare),
    ...recordReads(db, prepare),
    ...projectionReads(db, prepare),
    events: prepare((param) =>
      db
        .selectFrom("events")
        .select("body")
        .where("session", "=", param.session)
        .where("seq", ">", param.after)
        .orderBy("seq")
        .limit(param.limit),
    ),
    removed: prepare((param) =>
      db.selectFrom("removed_sessions").select(["head_seq", "last_event"]).where("id", "=", param.id),
    ),
    meta: prepare((param) => db.selectFrom("meta").select("value").where("name", "=", param.name)),
  };
}

type SessionReads = Pick<ReadStatements, "key" | "session" | "sessions" | "resume" | "running" | "owned">;

function sessionReads(db: Kysely<Tables>, prepare: Prepare): SessionReads {
  const listed = db
    .selectFrom("sessions as s")
    .leftJoin("hosts as h", "h.host_id", "s.owner_host")
    .select(["s.session", "s.id", "s.directory", "s.harness", "s.access", "s.model", "s.title"])
    .select(["s.created_at", "s.updated_at", "s.owner_host", "s.epoch", "s.head_seq", "s.state", "h.pid"]);
  return {
    key: prepare((param) =>
      db.selectFrom("sessions").select(["session", "head_seq"]).where("id", "=", param.id),
    ),
    session: prepare((param) => listed.where("s.id", "=", param.id)),
    sessions: prepare((param) =>
      listed.orderBy("s.created_at", "desc").orderBy("s.session", "desc").limit(param.limit),
    ),
    resume: prepare((param) =>
      db.selectFrom("sessions").select(["snapshot", "binding"]).where("id", "=", param.id),
    ),
    // A literal: whether the index of running turns fits is decided when the query is prepared.
    running: prepare(() =>
      db
        .selectFrom("turns as t")
        .innerJoin("sessions as s", "s.session", "t.session")
        .select(["s.id", "s.owner_host"])
        .distinct()
        .where("t.status", "=", sql.lit("running")),
    ),
    owned: prepare(() =>
      db.selectFrom("sessions").select(["id", "owner_host"]).where("owner_host", "is not", null),
    ),
  };
}

type RecordReads = Pick<ReadStatements, "turn" | "turnByKey" | "turns" | "asks">;

function recordReads(db: Kysely<Tables>, prepare: Prepare): RecordReads {
  return {
    turn: prepare((param) =>
      db
        .selectFrom("turns")
        .select("body")
        .where("session", "=", param.session)
        .where("turn_id", "=", param.turn_id),
    ),
    turnByKey: prepare((param) =>
      db
        .selectFrom("turns")
        .select("body")
        .where("session", "=", param.session)
        .where("idempotency_key", "=", param.idempotency_key),
    ),
    turns: prepare((param) =>
      db
        .selectFrom("turns")
        .select("body")
        .where("session", "=", param.session)
        .where("queued_seq", ">", param.after)
        .orderBy("queued_seq")
        .limit(param.limit),
    ),
    asks: prepare((param) =>
      db.selectFrom("asks").select("body").where("session", "=", param.session).orderBy("seq"),
    ),
  };
}

function projectionReads(db: Kysely<Tables>, prepare: Prepare): Pick<ReadStatements, "projection" | "rows"> {
  return {
    projection: prepare((param) =>
      db
        .selectFrom("projections")
        .select("snapshot")
        .where("session", "=", param.session)
        .where("projection", "=", param.projection),
    ),
    rows: prepare((param) =>
      db
        .selectFrom("projection_rows")
        .select(["row_id", "ordinal", "body"])
        .where("session", "=", param.session)
        .where("projection", "=", param.projection)
        .where("ordinal", ">", param.after)
        .orderBy("ordinal")
        .limit(param.limit),
    ),
  };
}
