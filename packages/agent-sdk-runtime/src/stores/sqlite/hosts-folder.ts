import { opendirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "./driver.ts";
import { isLocked, LockFile } from "./lock-file.ts";
import { makePrivateFolder } from "./private-files.ts";

const mostFilesCleaned = 200;
const hostFile = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The locks beside a store: one for each host that lives, one for the moment of opening. */
export class HostsFolder {
  readonly #driver: Driver;
  readonly #folder: string;

  constructor(driver: Driver, storePath: string) {
    this.#driver = driver;
    this.#folder = `${storePath}.hosts`;
  }

  /** Takes the lock under which a store is made, migrated and cleaned; throws the busy error. */
  takeOpeningLock(): LockFile {
    makePrivateFolder(this.#folder);
    return LockFile.take(this.#driver, join(this.#folder, "opening"));
  }

  /** Takes the lease of a host that is being opened. */
  takeLease(hostId: string): LockFile {
    return LockFile.take(this.#driver, join(this.#folder, hostId));
  }

  /** Whether a host lives: its lock is taken. */
  isAlive(hostId: string): boolean {
    return isLocked(this.#driver, join(this.#folder, hostId));
  }

  /** Removes the files of dead hosts, a bounded number at a time. Only under the opening lock. */
  clean(): void {
    const folder = opendirSync(this.#folder);
    try {
      for (let looked = 0; looked < mostFilesCleaned; looked += 1) {
        const entry = folder.readSync();
        if (entry === null) return;
        const dead = hostFile.test(entry.name) && !this.isAlive(entry.name);
        if (dead) rmSync(join(this.#folder, entry.name), { force: true });
      }
    } finally {
      folder.closeSync();
    }
  }
}
