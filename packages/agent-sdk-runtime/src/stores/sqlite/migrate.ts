import type { Database } from "./driver.ts";
import type { Kysely } from "kysely";
import { type Migration, type MigrationProvider, Migrator } from "kysely/migration";
import { initial } from "./migrations/0001-initial.ts";
import { removedSessions } from "./migrations/0002-removed-sessions.ts";
import { patiently } from "./patience.ts";
import { toStoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** In the header of every store of ours: the letters CLAX. */
export const applicationId = 0x434c4158;

const migrations: Readonly<Record<string, Migration>> = {
  "0001-initial": initial,
  "0002-removed-sessions": removedSessions,
};

/** The schema version that this code writes: the number of migrations. */
export const schemaVersion: number = Object.keys(migrations).length;

const provider: MigrationProvider = { getMigrations: async () => ({ ...migrations }) };

/**
 * Brings the schema to this version, all of it or nothing; waits for writers until `deadline`. The caller
 * sees to it that no other process migrates at the same time, and leaves the connection alone meanwhile.
 */
export async function migrate(sqlite: Database, db: Kysely<Tables>, deadline: number): Promise<void> {
  await patiently(deadline, () => sqlite.exec("begin immediate"));
  try {
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw toStoreError(sqlite.name, error);
    sqlite.pragma(`application_id = ${applicationId}`);
    sqlite.pragma(`user_version = ${schemaVersion}`);
    sqlite.exec("commit");
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec("rollback");
    throw error;
  }
}
