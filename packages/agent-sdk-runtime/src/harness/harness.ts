import type { EventAdapter, InputPart, Json, WireFrame } from "@claxedo/agent-event-runtime";
import type { HarnessConnection } from "./harness-connection.ts";

/** How the host talks to a harness. */
export type HarnessAccess = "acp" | "native";

/** Which harness runs a session, and how it is reached: plain data, so that swapping is changing a string. */
export interface HarnessChoice {
  readonly id: string;
  readonly access: HarnessAccess;
}

/** What a harness can do, for hosts to adapt to. */
export interface HarnessCapabilities {
  /** Asks before it acts. */
  readonly permissions: boolean;
  /** Takes input into a running turn. */
  readonly steer: boolean;
  /** Goes on from its own session after a restart. */
  readonly resume: boolean;
  /** Can say from its own record how a cut turn ended. */
  readonly history: boolean;
}

/** Whether a harness could be used here and now. */
export interface HarnessHealth {
  readonly ok: boolean;
  readonly version?: string;
  /** What is missing, and the remedy. */
  readonly message?: string;
}

/** What a harness is started with. */
export interface ConnectRequest {
  readonly sessionId: string;
  readonly directory: string;
  readonly model?: string;
  /** Goes into the environment of every child as `CLAXEDO_OWNER`. */
  readonly owner: string;
  /** What an earlier connection of this harness left, to resume from. */
  readonly binding?: Json;
  /** Aborted when nobody waits any more: a connection that comes too late must close itself. */
  readonly signal: AbortSignal;
}

/** A prompt on its way to the harness. */
export interface PromptRequest {
  readonly turnId: string;
  readonly inputId: string;
  readonly parts: readonly InputPart[];
}

/**
 * One harness: what it can do, how its frames are read, how it is started. A realization keeps no state
 * of its own between connections.
 */
export interface Harness {
  readonly id: string;
  readonly access: readonly HarnessAccess[];
  readonly capabilities: HarnessCapabilities;
  readonly adapter: EventAdapter;
  /** Looks whether it can be used, without starting it. */
  health(): Promise<HarnessHealth>;
  /**
   * Starts it. Rejects with `harness-unavailable`, `harness-failed`, `model-unknown`, `directory-missing`, or
   * `closed` when the signal is aborted already.
   */
  connect(request: ConnectRequest): Promise<HarnessConnection>;
  /**
   * What the harness's own record tells of the time since the last prompt, as frames of the channel
   * `history` for the adapter. Empty when there is no record. Reads only.
   */
  history(binding: Json): Promise<readonly WireFrame[]>;
}
