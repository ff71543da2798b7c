import type { Database, Driver } from "./driver.ts";
import { applicationId, schemaVersion } from "./migrate.ts";
import { blockingWaitMs } from "./patience.ts";
import { storeError } from "./store-error.ts";
import { sizeOf, walOf } from "./store-files.ts";
import { isTailConfirmed } from "./tail-mark.ts";

/** SQLite checks about 1 GB/s from memory, and a slow disk reads 100 MB/s: this bounds the time to open. */
const mostCheckedBytes = 32 * 1024 * 1024;
const mostCheckedBytesAfterCrash = 128 * 1024 * 1024;

/** Opens an existing store for reading only, after a look at whose it is and whether it is whole. */
export function openInspected(driver: Driver, path: string): Database {
  const sqlite = new driver(path, { readonly: true, fileMustExist: true, timeout: blockingWaitMs });
  try {
    checkIdentity(sqlite, path);
    checkTail(sqlite, path);
    checkPages(sqlite, path);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** The schema version of a store; refuses databases of others and versions of the future. */
export function checkIdentity(sqlite: Database, path: string): number {
  const tables = sqlite.prepare("select count(*) from sqlite_schema").pluck().get();
  if (sqlite.pragma("application_id", { simple: true }) !== applicationId) {
    const sentence = "this is a database of another program, and was left as it is. Name another path.";
    throw storeError("store-unavailable", path, sentence);
  }
  const version = Number(sqlite.pragma("user_version", { simple: true }));
  if (version > schemaVersion) {
    const sentence = `it was written by a newer version (schema ${version}, this one knows ${schemaVersion}). Update this program.`;
    throw storeError("store-newer", path, sentence);
  }
  if (version < 1 || tables === 0) {
    throw storeError("store-corrupt", path, "its tables are missing. It was left as it is. Restore a copy.");
  }
  return version;
}

function checkTail(sqlite: Database, path: string): void {
  // An opening for reading makes an empty -wal file where there was none.
  if (isTailConfirmed(sqlite) || sizeOf(walOf(path)) > 0) return;
  const sentence = `its file ${walOf(path)} is missing, and with it what was written last. It was left as it is. Put that file back, or restore a copy of both.`;
  throw storeError("store-corrupt", path, sentence);
}

function checkPages(sqlite: Database, path: string): void {
  const walBytes = sizeOf(walOf(path));
  const limit = walBytes === 0 ? mostCheckedBytes : mostCheckedBytesAfterCrash;
  if (sizeOf(path) + walBytes > limit) return;
  const verdict = sqlite.prepare("pragma quick_check(1)").pluck().get();
  if (verdict === "ok") return;
  const sentence = `the file is damaged (${String(verdict)}). It was left as it is. Restore a copy, or name another path.`;
  throw storeError("store-corrupt", path, sentence);
}
