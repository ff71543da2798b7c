import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { everything } from "../host/find-session.ts";
import { runtimeAt } from "../host/open-runtime.ts";
import type { Finding } from "./findings.ts";

/** Looks at the database without changing it: whether it can be used, and what is in it. */
export async function lookAtStore(path: string): Promise<Finding> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? lookAtPlace(path) : lookInside(path, found.size);
}

async function lookInside(path: string, size: number): Promise<Finding> {
  const wal = await stat(`${path}-wal`).catch(() => undefined);
  const facts = { path, exists: true, bytes: size + (wal?.size ?? 0) };
  // Before the store is open: closing a file drops the locks that this process has on it.
  const schema = await schemaVersion(path).catch(() => undefined);
  const runtime = runtimeAt(path, "reader");
  try {
    await runtime.ready;
    const sessions = (await runtime.sessions.list(everything)).length;
    await access(path, constants.W_OK);
    const amount = `${sessions} ${sessions === 1 ? "session" : "sessions"}, ${kilobytes(facts.bytes)}`;
    const version = schema === undefined ? "" : `, schema ${schema}`;
    const all = { ...facts, readable: true, sessions, ...(schema === undefined ? undefined : { schema }) };
    return { what: "store", ok: true, message: `Store ${path}: ${amount}${version}`, facts: all };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { what: "store", ok: false, message, facts: { ...facts, readable: false } };
  } finally {
    await runtime.close().catch(() => undefined);
  }
}

/** A store that is not there yet can be made where its nearest existing folder can be written. */
async function lookAtPlace(path: string): Promise<Finding> {
  const facts = { path, exists: false };
  let folder = dirname(path);
  while (folder !== dirname(folder) && (await stat(folder).catch(() => undefined)) === undefined)
    folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return {
      what: "store",
      ok: true,
      message: `Store ${path}: not there yet; the first run makes it`,
      facts,
    };
  } catch {
    const message = `Store ${path}: it cannot be made, since ${folder} cannot be written; name another path with --store`;
    return { what: "store", ok: false, message, facts };
  }
}

/** `user_version` in the header of the file: https://sqlite.org/fileformat2.html#the_database_header */
async function schemaVersion(path: string): Promise<number | undefined> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 60);
  const version = bytesRead === 4 ? buffer.readUInt32BE(0) : 0;
  return version === 0 ? undefined : version;
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
