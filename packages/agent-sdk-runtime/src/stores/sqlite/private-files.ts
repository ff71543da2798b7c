import { chmodSync, closeSync, fchmodSync, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, storeError } from "./store-error.ts";

/** Makes a folder that only its owner may enter; one that exists is left as it is. */
export function makePrivateFolder(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) chmodSync(path, 0o700);
}

/**
 * Makes an empty file that only its owner may read; `false` when there is one. Never opens a file that
 * exists: closing it would drop every lock that this process holds on it, as POSIX has it.
 */
export function makePrivateFile(path: string): boolean {
  try {
    const descriptor = openSync(path, "wx", 0o600);
    fchmodSync(descriptor, 0o600);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Whether something has this name, be it a link to nothing. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * The one name of a store's file, so that every way to it leads to the same locks. The folder must exist.
 */
export function canonicalPath(path: string): string {
  const folder = realpathSync(dirname(path));
  const named = join(folder, basename(path));
  if (!exists(named)) return named;
  try {
    return realpathSync(named);
  } catch (cause) {
    throw storeError("store-unavailable", path, "it is a link that leads nowhere. Remove the link.", cause);
  }
}
