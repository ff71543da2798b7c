import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const strict = sql`strict`;

async function storeTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("meta")
    .addColumn("name", "text", (column) => column.primaryKey().notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.schema
    .createTable("hosts")
    .addColumn("host_id", "text", (column) => column.primaryKey().notNull())
    .addColumn("pid", "integer", (column) => column.notNull())
    .addColumn("boot_id", "text")
    .addColumn("process_start", "text")
    .addColumn("opened_at", "real", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}

async function sessionTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sessions")
    .addColumn("session", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("directory", "text", (column) => column.notNull())
    .addColumn("harness", "text", (column) => column.notNull())
    .addColumn("access", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("title", "text")
    .addColumn("created_at", "real", (column) => column.notNull())
    .addColumn("updated_at", "real", (column) => column.notNull())
    .addColumn("owner_host", "text")
    .addColumn("epoch", "integer", (column) => column.notNull())
    .addColumn("head_seq", "integer", (column) => column.notNull())
    .addColumn("last_commit_id", "text")
    .addColumn("last_position", "integer", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("binding", "text")
    .addColumn("snapshot", "text", (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.schema.createIndex("sessions_by_creation").on("sessions").column("created_at").execute();
  await db.schema.createIndex("sessions_by_owner").on("sessions").column("owner_host").execute();
}

async function logTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("events")
    .addColumn("position", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("session", "integer", (column) => column.notNull())
    .addColumn("seq", "integer", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addUniqueConstraint("events_by_seq", ["session", "seq"])
    .modifyEnd(strict)
    .execute();
  await db.schema
    .createTable("turns")
    .addColumn("session", "integer", (column) => column.notNull())
    .addColumn("turn_id", "text", (column) => column.notNull())
    .addColumn("queued_seq", "integer", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("idempotency_key", "text")
    .addColumn("body", "text", (column) => column.notNull())
    .addUniqueConstraint("turns_by_id", ["session", "turn_id"])
    .addUniqueConstraint("turns_by_key", ["session", "idempotency_key"])
    .modifyEnd(strict)
    .execute();
  await db.schema.createIndex("turns_by_order").on("turns").columns(["session", "queued_seq"]).execute();
  await sql`create index turns_running on turns (session) where status = 'running'`.execute(db);
}

async function cacheTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("asks")
    .addColumn("session", "integer", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("seq", "integer", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addUniqueConstraint("asks_by_id", ["session", "request_id"])
    .modifyEnd(strict)
    .execute();
  await db.schema
    .createTable("projections")
    .addColumn("session", "integer", (column) => column.notNull())
    .addColumn("projection", "text", (column) => column.notNull())
    .addColumn("snapshot", "text", (column) => column.notNull())
    .addUniqueConstraint("projections_by_id", ["session", "projection"])
    .modifyEnd(strict)
    .execute();
  await db.schema
    .createTable("projection_rows")
    .addColumn("session", "integer", (column) => column.notNull())
    .addColumn("projection", "text", (column) => column.notNull())
    .addColumn("row_id", "text", (column) => column.notNull())
    .addColumn("ordinal", "real", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addUniqueConstraint("projection_rows_by_id", ["session", "projection", "row_id"])
    .modifyEnd(strict)
    .execute();
  await db.schema
    .createIndex("projection_rows_by_order")
    .on("projection_rows")
    .columns(["session", "projection", "ordinal"])
    .execute();
}

/** Makes every table of the first version. */
export const initial: Migration = {
  async up(db) {
    await storeTables(db);
    await sessionTable(db);
    await logTables(db);
    await cacheTables(db);
  },
};
