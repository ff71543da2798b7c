import { randomUUID } from "node:crypto";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { HostInfo } from "../session-store.ts";
import type { MemoryDatabase } from "./memory-database.ts";

/** One opening of a database: what may be done with it now. */
export class MemoryAccess {
  readonly #database: MemoryDatabase;
  #opened: { readonly role: "host" | "reader"; readonly host: HostInfo } | undefined;
  #closed = false;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  /** This opening. Throws before it is opened, and after it was closed. */
  get host(): HostInfo {
    return this.#current().host;
  }

  /** Opens it once; another role is refused. */
  open(role: "host" | "reader"): void {
    this.#refuseClosed();
    if (this.#opened === undefined) {
      const host = { hostId: randomUUID(), pid: process.pid };
      this.#opened = { role, host };
      if (role === "host") this.#database.hosts.set(host.hostId, host);
    }
    if (this.#opened.role === role) return;
    const message = `This store was opened as a ${this.#opened.role}. Make another one to open it as a ${role}.`;
    throw new AgentRuntimeError("invalid-input", message);
  }

  /** The database, for reading. */
  read(): MemoryDatabase {
    this.#current();
    return this.#database;
  }

  /** The database, for writing. */
  write(): MemoryDatabase {
    if (this.#current().role === "host") return this.#database;
    throw new AgentRuntimeError(
      "read-only",
      "This store was opened for reading. Open it as a host to write.",
    );
  }

  /** Lets every session go. */
  close(): void {
    this.#closed = true;
    const hostId = this.#opened?.host.hostId;
    this.#opened = undefined;
    if (hostId === undefined || !this.#database.hosts.delete(hostId)) return;
    for (const session of this.#database.sessions.values()) {
      if (session.ownerHost === hostId) session.ownerHost = undefined;
    }
    this.#database.changed();
  }

  #current(): { readonly role: "host" | "reader"; readonly host: HostInfo } {
    this.#refuseClosed();
    if (this.#opened !== undefined) return this.#opened;
    throw new AgentRuntimeError(
      "invalid-input",
      "This store is not open. Call `open` and wait for it first.",
    );
  }

  #refuseClosed(): void {
    if (this.#closed)
      throw new AgentRuntimeError("closed", "This store was closed. Make another one to go on.");
  }
}
