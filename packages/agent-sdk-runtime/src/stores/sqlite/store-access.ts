import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { Connection, HostConnection } from "./connection.ts";
import { IdleCheckpoint } from "./idle-checkpoint.ts";
import { openHost, openReader } from "./open-store.ts";
import type { Settings } from "./options.ts";
import { signOff } from "./ownership.ts";
import { patiently } from "./patience.ts";
import { toStoreError } from "./store-error.ts";
import { markTail } from "./tail-mark.ts";

type Opened =
  | { readonly role: "host"; readonly connection: HostConnection }
  | { readonly role: "reader"; readonly connection: Connection };

/** Opens once, closes once; in between lets work through, writes one after the other, and names errors. */
export class StoreAccess {
  readonly #settings: Settings;
  readonly #idle = new IdleCheckpoint(() => this.#checkpoint());
  #opening: { readonly role: "host" | "reader"; readonly done: Promise<void> } | undefined;
  #opened: Opened | undefined;
  #closing: Promise<void> | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #commits = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Opens it; a failed opening may be repeated. */
  async open(role: "host" | "reader"): Promise<void> {
    this.#refuseClosed();
    this.#opening ??= { role, done: this.#openAs(role) };
    if (this.#opening.role !== role) {
      const message = `This store was opened as a ${this.#opening.role}. Make another one to open it as a ${role}.`;
      throw new AgentRuntimeError("invalid-input", message);
    }
    await this.#opening.done;
  }

  /** What is open; throws when nothing is. */
  opened(): Connection {
    return this.#current().connection;
  }

  /** Reads, waiting for other processes if need be. */
  async read<Result>(work: (connection: Connection) => Result): Promise<Result> {
    return this.#try(() => work(this.opened()));
  }

  /** Writes after all earlier writes, waiting for other processes if need be. */
  async write<Result>(work: (connection: HostConnection) => Result): Promise<Result> {
    this.#host();
    const deadline = this.#deadline();
    const result = this.#lastWrite.then(() => this.#try(() => work(this.#host()), deadline));
    this.#lastWrite = result.catch(() => undefined);
    const written = await result;
    this.#commits += 1;
    this.#idle.committed();
    return written;
  }

  /** Rises with every commit, of this connection and of others. */
  async version(): Promise<number> {
    const seen = await this.read(({ sqlite }) => sqlite.pragma("data_version", { simple: true }));
    return Number(seen) + this.#commits;
  }

  /** Lets everything go and closes. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #openAs(role: "host" | "reader"): Promise<void> {
    try {
      this.#opened =
        role === "host"
          ? { role, connection: await openHost(this.#settings) }
          : { role, connection: await openReader(this.#settings) };
    } catch (error) {
      this.#opening = undefined;
      throw toStoreError(this.#settings.path, error);
    }
  }

  async #close(): Promise<void> {
    await this.#opening?.done.catch(() => undefined);
    await this.#lastWrite;
    this.#idle.stop();
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return;
    if (opened.role === "host") await this.#leave(opened.connection);
    opened.connection.sqlite.close();
  }

  /** Tidies up as far as it can, on a full disk for example: with the lease gone, the sessions are free as after a crash. */
  async #leave(connection: HostConnection): Promise<void> {
    await this.#try(() => {
      signOff(connection);
      connection.sqlite.pragma("wal_checkpoint(truncate)");
    }).catch(() => undefined);
    connection.lease.release({ remove: true });
  }

  /** Empties the -wal file; `false` when another connection still reads from it. */
  #checkpoint(): boolean {
    if (this.#opened?.role !== "host") return true;
    const { sqlite } = this.#opened.connection;
    try {
      const busy = sqlite.prepare("pragma wal_checkpoint(truncate)").pluck().get();
      if (busy !== 0) return false;
      markTail(sqlite);
      return true;
    } catch {
      // A full disk or a lock: the -wal file stays, and commits tell what is wrong.
      return false;
    }
  }

  async #try<Result>(work: () => Result, deadline: number = this.#deadline()): Promise<Result> {
    try {
      return await patiently(deadline, work);
    } catch (error) {
      throw toStoreError(this.#settings.path, error);
    }
  }

  #deadline(): number {
    return performance.now() + this.#settings.busyTimeoutMs;
  }

  #host(): HostConnection {
    const opened = this.#current();
    if (opened.role === "host") return opened.connection;
    const message = "This store was opened for reading. Open it as a host to write.";
    throw new AgentRuntimeError("read-only", message);
  }

  #current(): Opened {
    this.#refuseClosed();
    if (this.#opened !== undefined) return this.#opened;
    throw new AgentRuntimeError(
      "invalid-input",
      "This store is not open. Call `open` and wait for it first.",
    );
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) {
      throw new AgentRuntimeError("closed", "This store was closed. Make another one to go on.");
    }
  }
}
