import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionStore } from "../../src/stores/session-store.ts";
import { sqliteStore, type SqliteStoreOptions } from "../../src/stores/sqlite/index.ts";
import { runStore, type StoreProgram } from "./store-program.ts";

/** A folder for one test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "claxedo-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that the test's end closes. */
export function scratchStore(path: string, options?: Omit<SqliteStoreOptions, "path">): SessionStore {
  const store = sqliteStore({ path, ...options });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** A store opened for writing. */
export async function openHost(
  path: string,
  options?: Omit<SqliteStoreOptions, "path">,
): Promise<SessionStore> {
  const store = scratchStore(path, options);
  await store.open("host");
  return store;
}

/** A store opened for reading. */
export async function openReader(path: string): Promise<SessionStore> {
  const store = scratchStore(path);
  await store.open("reader");
  return store;
}

/** A process on a store that the test's end kills. */
export function scratchProgram(...args: string[]): StoreProgram {
  const program = runStore(...args);
  onTestFinished(() => program.kill());
  return program;
}
