import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import type { Driver } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { makePrivateFile } from "./private-files.ts";
import { queryBuilder } from "./query-builder.ts";
import { syncFolderOf } from "./store-files.ts";
import { initialTailMark } from "./tail-mark.ts";

/**
 * Makes an empty store. It gets its name only when it is whole, so that an empty or half-written file is
 * never a store in the making. Only under the opening lock.
 */
export async function createStore(driver: Driver, path: string): Promise<void> {
  const draft = `${path}.new`;
  const discard = () => {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  };
  discard();
  try {
    await writeDraft(driver, draft);
    renameSync(draft, path);
    syncFolderOf(path);
  } catch (error) {
    discard();
    throw error;
  }
}

async function writeDraft(driver: Driver, draft: string): Promise<void> {
  makePrivateFile(draft);
  const sqlite = new driver(draft);
  try {
    await migrate(sqlite, queryBuilder(sqlite), performance.now());
    const insert = sqlite.prepare("insert into meta (name, value) values (?, ?)");
    sqlite.transaction(() => {
      insert.run("store_id", randomUUID());
      for (const [name, value] of initialTailMark) insert.run(name, value);
    })();
  } finally {
    sqlite.close();
  }
}
