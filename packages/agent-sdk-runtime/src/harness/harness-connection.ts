import type { ExitInfo, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import type { AskAnswer, HarnessOffer, PromptRequest } from "./harness.ts";

/** What can be changed while a harness is up. */
export interface HarnessSettings {
  readonly model?: string;
  readonly mode?: string;
}

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
   * that prompt counts. Stored as well with a `harness.updated` that names another session.
   */
  binding(): Json;
  /** The frame that hands a prompt over. Nothing is written. */
  prompt(request: PromptRequest): WireFrame;
  /** The frame that asks the harness to stop what it does. Nothing is written. */
  interrupt(): WireFrame;
  /**
   * The frame that answers a request of the harness. Nothing is written. Throws `invalid-input` when the
   * answer does not fit the request. Absent where nothing is ever asked.
   */
  answer?(answer: AskAnswer): WireFrame;
  /** What the harness offers, as this connection knows it. Absent where `capabilities.offer` is false. */
  offer?(): Promise<HarnessOffer>;
  /**
   * Changes model or mode, from the next model call on. Resolves when the harness has taken it, rejects with
   * `model-unknown`, `invalid-input` or `harness-failed`. What is sent and answered is read like any frame.
   * Absent where `capabilities.configure` is false.
   */
  configure?(change: HarnessSettings): Promise<void>;
  /**
   * Stops a task by the id of its `task.started`, as the adapter gave it: without the mark of the connection.
   * As `configure` otherwise.
   */
  stopTask?(taskId: string): Promise<void>;
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
