/**
 * What can go wrong for a caller. Each code stands for one remedy, told in the message.
 *
 * - `invalid-input`: an argument is wrong. `not-supported`: this harness or version cannot do it.
 * - `session-not-found`, `turn-not-found`: no such thing in this store.
 * - `ask-not-found`, `task-not-found`: nothing of that id was ever asked, is at work, in this session. `ask-ended`: it was answered, or withdrawn.
 * - `session-busy`: a turn is running and the caller asked not to wait. `idempotency-conflict`: the key was used with another input.
 * - `owned-elsewhere`: a live host holds the session. `fenced`: another host has taken it from this one.
 * - `conflict`: the log moved under the writer. `cursor-ahead`: a cursor points past the log.
 * - `harness-unknown`, `access-unsupported`, `model-unknown`: a choice that is not offered.
 * - `harness-unavailable`: a library or program is missing or too old. `harness-failed`: it did not start or work.
 * - `directory-missing`: the session's directory is not there.
 * - `store-unavailable`: the store cannot be opened, read or written now. `store-full`: its disk is full.
 * - `store-corrupt`: its file is damaged. `store-newer`: a newer version wrote it. `read-only`: it was opened for reading.
 * - `node-unsupported`: this Node cannot run this part. `timeout`: a deadline passed. `closed`: it was closed.
 */
export type AgentRuntimeErrorCode =
  | "invalid-input"
  | "not-supported"
  | "session-not-found"
  | "turn-not-found"
  | "ask-not-found"
  | "ask-ended"
  | "task-not-found"
  | "session-busy"
  | "idempotency-conflict"
  | "owned-elsewhere"
  | "fenced"
  | "conflict"
  | "cursor-ahead"
  | "harness-unknown"
  | "access-unsupported"
  | "model-unknown"
  | "harness-unavailable"
  | "harness-failed"
  | "directory-missing"
  | "store-unavailable"
  | "store-full"
  | "store-corrupt"
  | "store-newer"
  | "read-only"
  | "node-unsupported"
  | "timeout"
  | "closed";

const brand = Symbol.for("@claxedo/agent-runtime-error");

/** The one error class of the runtime: a code from a closed list, and a message that says what to do. */
export class AgentRuntimeError extends Error {
  readonly code: AgentRuntimeErrorCode;

  constructor(code: AgentRuntimeErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "AgentRuntimeError";
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether a value is an AgentRuntimeError, also one of another copy of this package. */
  static is(value: unknown): value is AgentRuntimeError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
