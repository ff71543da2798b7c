import { resolve } from "node:path";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";

/** What a SQLite store is made with. */
export interface SqliteStoreOptions {
  /**
   * The database file, on a local disk. Made when it is missing, with its folder; `<path>-wal`,
   * `<path>-shm` and `<path>.hosts` belong to it.
   */
  readonly path: string;
  /** What a commit outlives: the death of the process (default), or a loss of power as well. */
  readonly durability?: "process" | "power";
  /** How long a call waits for other processes before it rejects with `store-unavailable`; default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Options checked, with defaults. */
export interface Settings {
  readonly path: string;
  readonly durability: "process" | "power";
  readonly busyTimeoutMs: number;
}

const defaultBusyTimeoutMs = 5000;

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}

function settledPath(path: unknown): string {
  if (typeof path !== "string" || path.trim() === "") throw invalid("Name the file of the SQLite store.");
  if (path.trim() === ":memory:") {
    throw invalid("A SQLite store cannot live in memory: its sessions would not survive. Name a file.");
  }
  // The driver trims names, and SQLite ends them at a NUL: the store would lie elsewhere than its locks.
  if (path.includes("\0") || path !== path.trim()) {
    throw invalid("The path of the SQLite store has blanks around it or a NUL in it. Remove them.");
  }
  return resolve(path);
}

/** Checks the options; throws `invalid-input`. Touches nothing. */
export function settingsFrom(options: SqliteStoreOptions): Settings {
  const { durability = "process", busyTimeoutMs = defaultBusyTimeoutMs } = options;
  if (durability !== "process" && durability !== "power") {
    throw invalid("The durability of the SQLite store is `process` or `power`.");
  }
  if (!Number.isFinite(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw invalid("`busyTimeoutMs` of the SQLite store is a number of milliseconds, 0 or more.");
  }
  return { path: settledPath(options.path), durability, busyTimeoutMs };
}
