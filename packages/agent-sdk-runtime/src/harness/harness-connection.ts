import type { ExitInfo, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import type { PromptRequest } from "./harness.ts";

/**
 * One start of a harness. The host makes a frame, commits what it says, and only then writes it.
 * `close` is safe at any time, any number of times, and is what ends `read`.
 */
export interface HarnessConnection extends AsyncDisposable {
  /** The harness's own name of the session, where it has told one. */
  readonly nativeSessionId?: string | undefined;
  /** Whether it went on from `ConnectRequest.binding`. */
  readonly resumed: boolean;
  /** The model in use, as the harness names it. */
  readonly model?: string | undefined;
  /** How the connection ended; absent while it is up, or when nothing is known. */
  readonly exit?: ExitInfo | undefined;
  /**
   * Facts to be stored with the next prompt: where to resume, and from which point of its own record
   * that prompt counts.
   */
  binding(): Json;
  /** The frame that hands a prompt over. Nothing is written. */
  prompt(request: PromptRequest): WireFrame;
  /** The frame that asks the harness to stop what it does. Nothing is written. */
  interrupt(): WireFrame;
  /** Writes a frame made here. Resolves when it is written, rejects when it could not be. */
  write(frame: WireFrame): Promise<void>;
  /**
   * The frames that have come since the last call, waiting for at least one; `undefined` once the
   * connection is over. While nobody reads, at most about 8 MiB are taken from the harness.
   */
  read(): Promise<readonly RawFrame[] | undefined>;
  /** Ends it: what cannot be ended within `graceMs` is killed or abandoned. */
  close(graceMs: number): Promise<void>;
}
