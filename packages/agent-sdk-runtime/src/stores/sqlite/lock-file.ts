import { existsSync, rmSync } from "node:fs";
import type { Database, Driver } from "./driver.ts";
import { makePrivateFile } from "./private-files.ts";
import { isBusy, isCorrupt } from "./store-error.ts";

/**
 * An exclusive lock on a file, held through a transaction of SQLite that writes nothing. It ends with the
 * process, however that ends, and children do not inherit it.
 */
export class LockFile {
  readonly path: string;
  readonly #sqlite: Database;

  private constructor(path: string, sqlite: Database) {
    this.path = path;
    this.#sqlite = sqlite;
  }

  /** Takes the lock, making the file if need be; throws SQLite's busy error when somebody has it. */
  static take(driver: Driver, path: string): LockFile {
    makePrivateFile(path);
    const sqlite = new driver(path, { timeout: 0 });
    try {
      // Else the transaction would leave a journal file behind when the process is killed.
      sqlite.pragma("journal_mode = memory");
      sqlite.exec("begin exclusive");
      return new LockFile(path, sqlite);
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  /** Lets go; the file stays unless it is to be removed. */
  release(options?: { readonly remove: boolean }): void {
    this.#sqlite.close();
    if (options?.remove === true) rmSync(this.path, { force: true });
  }
}

/** Whether somebody holds the lock. Asks with a shared lock, so that several may ask at once. */
export function isLocked(driver: Driver, path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    readOnce(driver, path);
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    if (isCorrupt(error) || !existsSync(path)) return false;
    throw error;
  }
}

function readOnce(driver: Driver, path: string): void {
  const sqlite = new driver(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    sqlite.prepare("select 1 from sqlite_schema").all();
  } finally {
    sqlite.close();
  }
}
