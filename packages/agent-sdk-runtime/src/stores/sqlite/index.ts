import type { SessionStore } from "../session-store.ts";
import { settingsFrom, type SqliteStoreOptions } from "./options.ts";
import { SqliteStore } from "./sqlite-store.ts";

/**
 * A store in one SQLite file. Touches nothing before `open`; throws `invalid-input` for a path that
 * cannot be one. Several processes may use one file, and each session belongs to one of them at a time.
 */
export function sqliteStore(options: SqliteStoreOptions): SessionStore {
  return new SqliteStore(settingsFrom(options));
}

export type { SqliteStoreOptions };
