import type {
  ErrorInfo,
  InputOutcome,
  McpUpdated,
  RunOutcome,
  SessionStatus,
  TurnOutcome,
  Usage,
} from "@claxedo/agent-event-runtime";

/** A turn as stored: one accepted prompt and what became of it. The prompt itself is in `turn.queued`, at `seq.queued`. */
export interface TurnRecord {
  readonly turnId: string;
  readonly inputId: string;
  readonly idempotencyKey?: string;
  readonly status: "queued" | "running" | TurnOutcome;
  /** Why it ended. Begins with `harness.` exactly when the harness's own terminal was seen. */
  readonly reason?: string;
  readonly stopReason?: string;
  readonly error?: ErrorInfo;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Seq of `turn.queued` and of `turn.ended`. */
  readonly seq: { readonly queued: number; readonly ended?: number };
  /** Milliseconds since the epoch. */
  readonly time: { readonly queued: number; readonly started?: number; readonly ended?: number };
}

/** A question or permission request as stored. */
export interface AskRecord {
  readonly requestId: string;
  readonly kind: "permission" | "question";
  readonly turnId?: string;
  readonly status: "open" | "ended";
  readonly outcome?: string;
  /** Seq of the request. */
  readonly seq: number;
}

/** A subagent or background work that has not ended. */
export interface OpenTask {
  readonly taskId: string;
  readonly kind: "agent" | "background";
  /** At most 200 characters. */
  readonly title?: string;
  /** The tool call that it carries on. */
  readonly callId?: string;
  /** The task that it was started in. */
  readonly parent?: string;
}

/** An MCP server of the harness, as it was told last. */
export interface McpServer {
  /** At most 200 characters, as the message. */
  readonly server: string;
  readonly status: McpUpdated["status"];
  readonly message?: string;
}

/** An input of the running turn. */
export interface TurnInput {
  readonly inputId: string;
  readonly sent: boolean;
  /** The run that took it up. */
  readonly runId?: string;
  readonly outcome?: InputOutcome;
  readonly error?: ErrorInfo;
}

/** A run that the running turn caused, or that one of its inputs joined. */
export interface TurnRun {
  readonly runId: string;
  readonly ended?: {
    readonly outcome: RunOutcome;
    readonly reason: string;
    readonly stopReason?: string;
    readonly error?: ErrorInfo;
    readonly usage?: Usage;
    readonly costUsd?: number;
  };
}

/** The turn the session works on. */
export interface RunningTurn {
  readonly record: TurnRecord;
  readonly inputs: readonly TurnInput[];
  readonly runs: readonly TurnRun[];
}

/** A run of the harness that is open. */
export interface OpenRun {
  readonly runId: string;
  readonly origin: "user" | "harness";
}

/** How turns fail, one like the other, where that may lie in the harness's session. */
export interface HarnessTrouble {
  readonly kind: "history-rejected" | "context-overflow" | "harness-crashed";
  /** Turns in a row. */
  readonly count: number;
}

/**
 * What the session's log adds up to: JSON, and small. A fold over the events makes it; what the store
 * keeps of it is a cache.
 */
export interface SessionState {
  readonly v: 1;
  readonly turn?: RunningTurn;
  readonly queue: readonly TurnRecord[];
  readonly lastTurn?: TurnRecord;
  readonly runs: readonly OpenRun[];
  readonly asks: readonly AskRecord[];
  /** Absent for none. */
  readonly tasks?: readonly OpenTask[];
  /** What the connection that is up told of: the first 64. Absent for none. */
  readonly mcp?: readonly McpServer[];
  /** Seq of the main agent's last list of things to do. */
  readonly todoSeq?: number;
  /** What all runs together used and cost, as far as they told. */
  readonly usage?: Usage;
  readonly costUsd?: number;
  readonly recovering: boolean;
  /** A connection to the harness is up, or was when its host was lost. */
  readonly connected: boolean;
  /** The last attempt to start the harness failed, and nothing has worked since. */
  readonly failing: boolean;
  /** The harness's session is a new one, and no turn has completed in it. */
  readonly fresh?: true;
  /** Absent after a turn that went well. */
  readonly trouble?: HarnessTrouble;
  readonly deleted: boolean;
  readonly title?: string;
  /** The model and the mode in use, or asked for from the next connection on. */
  readonly model?: string;
  readonly mode?: string;
  /** The status that was told last. */
  readonly announced?: SessionStatus;
}

/** The state of a session whose log is empty. */
export const emptySessionState: SessionState = {
  v: 1,
  queue: [],
  runs: [],
  asks: [],
  recovering: false,
  connected: false,
  failing: false,
  deleted: false,
};
