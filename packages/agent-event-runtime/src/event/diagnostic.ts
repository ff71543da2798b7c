import type { Json } from "../base/json.ts";

/**
 * Codes the core writes. Adapters add their own under their id (`pi.unknown-event`).
 *
 * - `frame.broken`: a line that is no JSON value, or too long. `detail.text` holds its beginning.
 * - `frame.unknown`: a frame of a kind this adapter does not know.
 * - `adapter.threw`: a fault in an adapter; its state is unchanged.
 * - `adapter.unbalanced`: an adapter started or ended something twice, or ended what it never started.
 * - `snapshot.unusable`: a stored adapter state that cannot be read; what it left open was closed.
 * - `input.unsent`: a write to the harness failed.
 * - `store.unreadable`: a stream ends here, since the store could not be read.
 * - `resume.failed`: a harness could not go on from its session, which is tried again.
 * - `resume.abandoned`: a harness has left its session for another; what that does not know is handed over.
 * - `event.unknown-type`: `parseEvent` read an event of a type, or of an envelope version, from the future.
 * - `event.invalid`: `parseEvent` read an event of a known type, or of none, whose fields do not fit.
 */
export type CoreDiagnosticCode =
  | "frame.broken"
  | "frame.unknown"
  | "adapter.threw"
  | "adapter.unbalanced"
  | "snapshot.unusable"
  | "input.unsent"
  | "store.unreadable"
  | "resume.failed"
  | "resume.abandoned"
  | "event.unknown-type"
  | "event.invalid";

/** A fault as data. Repeats of one code are coalesced: the 1st, 10th, 100th … are told, with `count`. */
export interface Diagnostic {
  readonly code: CoreDiagnosticCode | (string & {});
  readonly severity: "info" | "warning" | "error";
  /** One sentence that stands on its own. No secrets. */
  readonly message: string;
  readonly detail?: Json;
  /** How often this code has come up in this connection, where it is more than once. */
  readonly count?: number;
}
