import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { HostInfo } from "../session-store.ts";
import {
  atomically,
  type Connection,
  connection,
  type HostConnection,
  hostConnection,
} from "./connection.ts";
import { createStore } from "./create-store.ts";
import { type Database, type Driver, loadDriver } from "./driver.ts";
import { HostsFolder } from "./hosts-folder.ts";
import { checkIdentity, openInspected } from "./inspect.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import type { Settings } from "./options.ts";
import { blockingWaitMs, patiently } from "./patience.ts";
import { canonicalPath, exists, makePrivateFolder } from "./private-files.ts";
import { ownIdentity } from "./process-identity.ts";
import { queryBuilder } from "./query-builder.ts";
import { storeError } from "./store-error.ts";
import { checkFile, checkNoRemains } from "./store-files.ts";
import { markTail } from "./tail-mark.ts";

/** The -wal file is cut to this size when it starts over, and is copied into the main file at about a quarter of it. */
export const walLimitBytes: number = 16 * 1024 * 1024;

/** Opens a store for reading: writes nothing, migrates nothing, takes no lock that outlasts a read. */
export async function openReader(settings: Settings): Promise<Connection> {
  const missing = () =>
    storeError("store-unavailable", settings.path, "it does not exist yet. The first session makes it.");
  if (!exists(settings.path)) throw missing();
  const driver = await loadDriver();
  const path = canonicalPath(settings.path);
  checkFile(path, "reader");
  const deadline = performance.now() + settings.busyTimeoutMs;
  const sqlite = await patiently(deadline, () => openInspected(driver, path));
  return closingOnError(sqlite, () => {
    if (checkIdentity(sqlite, path) < schemaVersion) {
      const sentence = "it was written by an older version. Open it for writing once, which updates it.";
      throw storeError("store-unavailable", path, sentence);
    }
    return connection(path, sqlite, new HostsFolder(driver, path), newHost());
  });
}

/** Opens a store for writing: makes it if it is missing, migrates it, and takes the lease of this host. */
export async function openHost(settings: Settings): Promise<HostConnection> {
  const driver = await loadDriver();
  makePrivateFolder(dirname(settings.path));
  const path = canonicalPath(settings.path);
  const deadline = performance.now() + settings.busyTimeoutMs;
  if (exists(path)) await inspectFully(driver, path, deadline);
  else checkNoRemains(path);
  const hosts = new HostsFolder(driver, path);
  const opening = await patiently(deadline, () => hosts.takeOpeningLock());
  try {
    if (!exists(path)) await createStore(driver, path);
    return await openLocked(driver, { ...settings, path }, hosts, deadline);
  } finally {
    opening.release();
  }
}

async function inspectFully(driver: Driver, path: string, deadline: number): Promise<void> {
  checkFile(path, "host");
  (await patiently(deadline, () => openInspected(driver, path))).close();
}

async function openLocked(
  driver: Driver,
  settings: Settings,
  hosts: HostsFolder,
  deadline: number,
): Promise<HostConnection> {
  const { path } = settings;
  const sqlite = new driver(path, { fileMustExist: true, timeout: blockingWaitMs });
  return closingOnError(sqlite, async () => {
    await patiently(deadline, () => configure(sqlite, settings));
    const version = await patiently(deadline, () => checkIdentity(sqlite, path));
    if (version < schemaVersion) await migrate(sqlite, queryBuilder(sqlite), deadline);
    const host = newHost();
    const lease = hosts.takeLease(host.hostId);
    try {
      const opened = hostConnection(connection(path, sqlite, hosts, host), lease);
      await patiently(deadline, () => register(opened));
      await patiently(deadline, () => markTail(sqlite));
      return opened;
    } catch (error) {
      lease.release({ remove: true });
      throw error;
    }
  });
}

function configure(sqlite: Database, { path, durability }: Settings): void {
  if (sqlite.pragma("journal_mode = wal", { simple: true }) !== "wal") {
    const sentence = "its file system does not share memory between processes. Put it on a local disk.";
    throw storeError("store-unavailable", path, sentence);
  }
  sqlite.pragma(`synchronous = ${durability === "power" ? "full" : "normal"}`);
  // On macOS alone, fsync leaves data in the drive's own cache.
  if (durability === "power") sqlite.exec("pragma fullfsync = on; pragma checkpoint_fullfsync = on");
  sqlite.pragma("wal_autocheckpoint = 1000");
  sqlite.pragma(`journal_size_limit = ${walLimitBytes}`);
}

/** Adds this host to the list, and takes off those that died. */
function register(opened: HostConnection): void {
  const { hosts, host, ownership } = opened;
  const identity = ownIdentity();
  atomically(opened, () => {
    for (const { host_id } of ownership.hosts.all({})) {
      if (!hosts.isAlive(host_id)) ownership.removeHost.run({ host_id });
    }
    ownership.addHost.run({
      host_id: host.hostId,
      pid: identity.pid,
      boot_id: identity.bootId,
      process_start: identity.start,
      opened_at: Date.now(),
    });
  });
  hosts.clean();
}

function newHost(): HostInfo {
  return { hostId: randomUUID(), pid: process.pid };
}

async function closingOnError<Result>(
  sqlite: Database,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
