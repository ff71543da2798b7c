import { accessSync, closeSync, constants, fsyncSync, lstatSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { exists } from "./private-files.ts";
import { storeError } from "./store-error.ts";

/** Where SQLite keeps what is not in the main file yet. */
export function walOf(path: string): string {
  return `${path}-wal`;
}

/** The size in bytes, 0 when there is no such file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Refuses what cannot be a store, without opening it. The mode is looked at as well as the access that
 * this user has: a file that is marked read-only is meant to be, also for the superuser.
 */
export function checkFile(path: string, role: "host" | "reader"): void {
  const stat = lstatSync(path);
  const unavailable = (sentence: string) => storeError("store-unavailable", path, sentence);
  if (stat.isDirectory()) throw unavailable("it is a folder. Name a file in it.");
  if (!stat.isFile()) throw unavailable("it is not an ordinary file. Name another path.");
  if ((stat.mode & 0o444) === 0) throw unavailable("nobody may read it. Allow it with `chmod u+rw`.");
  accessSync(path, constants.R_OK);
  if (stat.size === 0) {
    throw storeError("store-corrupt", path, "the file is empty. Restore a copy; to start anew, remove it.");
  }
  if (role === "reader") return;
  if ((stat.mode & 0o222) === 0) throw unavailable("it is read-only. Allow writing with `chmod u+w`.");
  accessSync(path, constants.W_OK);
}

/** Refuses to make a store where parts of an older one lie: SQLite would mix them into it. */
export function checkNoRemains(path: string): void {
  for (const remains of [walOf(path), `${path}-journal`]) {
    if (!exists(remains) || sizeOf(remains) === 0) continue;
    const sentence = `the file is missing, but ${remains} is there. Put the file back; to start anew, move that away.`;
    throw storeError("store-corrupt", path, sentence);
  }
}

/** Makes a new name in a folder survive a loss of power. */
export function syncFolderOf(path: string): void {
  // Windows neither needs it nor lets a folder be opened.
  if (process.platform === "win32") return;
  const descriptor = openSync(dirname(path), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
