import { sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Makes the table that remembers removed sessions, and the index that finds those a dead host has left. */
export const removedSessions: Migration = {
  async up(db) {
    await db.schema
      .createTable("removed_sessions")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("head_seq", "integer", (column) => column.notNull())
      .addColumn("last_event", "text")
      .modifyEnd(sql`strict`)
      .execute();
    await sql`create index sessions_owned on sessions (owner_host, id) where owner_host is not null`.execute(
      db,
    );
  },
};
