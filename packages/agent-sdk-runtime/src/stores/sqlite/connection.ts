import type { Database } from "./driver.ts";
import type { HostInfo } from "../session-store.ts";
import { type AppendStatements, appendStatements } from "./append-statements.ts";
import { preparer } from "./compiled-statement.ts";
import type { HostsFolder } from "./hosts-folder.ts";
import type { LockFile } from "./lock-file.ts";
import { type OwnershipStatements, ownershipStatements } from "./ownership-statements.ts";
import { queryBuilder } from "./query-builder.ts";
import { type ReadStatements, readStatements } from "./read-statements.ts";
import { storeError } from "./store-error.ts";

/** An opened store, for reading. */
export interface Connection {
  readonly path: string;
  readonly sqlite: Database;
  readonly hosts: HostsFolder;
  readonly storeId: string;
  /** This opening. */
  readonly host: HostInfo;
  readonly read: ReadStatements;
}

/** An opened store, for writing. */
export interface HostConnection extends Connection {
  readonly lease: LockFile;
  readonly append: AppendStatements;
  readonly ownership: OwnershipStatements;
}

/** Prepares what every opening needs. */
export function connection(path: string, sqlite: Database, hosts: HostsFolder, host: HostInfo): Connection {
  const read = readStatements(queryBuilder(sqlite), preparer(sqlite));
  const storeId = read.meta.get({ name: "store_id" })?.value;
  if (storeId === undefined) {
    throw storeError("store-corrupt", path, "it has lost its name. It was left as it is. Restore a copy.");
  }
  return { path, sqlite, hosts, storeId, host, read };
}

/** Adds what an opening for writing needs. */
export function hostConnection(base: Connection, lease: LockFile): HostConnection {
  const db = queryBuilder(base.sqlite);
  const prepare = preparer(base.sqlite);
  return {
    ...base,
    lease,
    append: appendStatements(db, prepare),
    ownership: ownershipStatements(db, prepare),
  };
}

/** Answers whether hosts live, asking about each only once: for use within one call. */
export function livenessProbe(connection: Connection): (hostId: string) => boolean {
  const known = new Map([[connection.host.hostId, true]]);
  return (hostId) => {
    const alive = known.get(hostId) ?? connection.hosts.isAlive(hostId);
    known.set(hostId, alive);
    return alive;
  };
}

/** Does the work in one write transaction: all of it or nothing. */
export function atomically<Result>(connection: Connection, work: () => Result): Result {
  return connection.sqlite.transaction(work).immediate();
}

/** Reads from one state of the store, whatever others commit meanwhile. */
export function consistently<Result>(connection: Connection, work: () => Result): Result {
  return connection.sqlite.transaction(work).deferred();
}
