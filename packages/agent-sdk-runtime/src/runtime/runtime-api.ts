import type {
  AgentRuntimeEvent,
  ErrorInfo,
  InputPart,
  SessionStatus,
  TranscriptRow,
  TurnOutcome,
  Usage,
} from "@claxedo/agent-event-runtime";
import type { HarnessAccess, HarnessCapabilities, HarnessChoice, HarnessHealth } from "../harness/harness.ts";
import type { TurnRecord } from "../session/session-state.ts";
import type { HostInfo } from "../stores/session-store.ts";
import type { Permissions, Questions } from "./asks-api.ts";
import type { Commands, Config, Mcp, Models, Tasks, Todos } from "./settings-api.ts";

/** A session as hosts see it. */
export interface Session {
  readonly id: string;
  readonly directory: string;
  readonly harness: HarnessChoice;
  readonly model?: string;
  /** How freely the harness may act, in its own words. */
  readonly mode?: string;
  readonly title?: string;
  /** Whether the runtime does something for it now. How a turn ended is told by `lastTurn`. */
  readonly status: SessionStatus;
  /** The turn that runs now. */
  readonly turn?: TurnRecord;
  /** Turns that wait, in order. */
  readonly queue: readonly TurnRecord[];
  /** The turn that ended last; one cancelled while it was queued is never here. */
  readonly lastTurn?: TurnRecord;
  /** How many permission requests and questions wait for an answer. */
  readonly asks: number;
  /** What all its runs used and cost together, also those that the harness began by itself; absent: not known. */
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** The last seq of its log. */
  readonly seq: number;
  /** The live host that has it. */
  readonly owner?: HostInfo;
  /** Milliseconds since the epoch. */
  readonly time: { readonly created: number; readonly updated: number };
}

/** What a session is created with. */
export interface CreateSession {
  /** An absolute path of an existing directory. */
  readonly directory: string;
  readonly harness: { readonly id: string; readonly access?: HarnessAccess };
  readonly model?: string;
  /** How freely the harness may act, in its own words; default: its own. */
  readonly mode?: string;
  readonly title?: string;
}

/** What a turn is started with. */
export interface StartTurnOptions {
  readonly sessionId: string;
  /** Text, or parts. */
  readonly input: string | readonly InputPart[];
  /**
   * While another turn runs: wait in line (default), be refused with `session-busy`, or go into that turn, which
   * is then the one that is answered. What cannot be steered waits in line.
   */
  readonly whenBusy?: "queue" | "reject" | "steer";
  /**
   * The same key with the same input answers the same turn; with another input it is `idempotency-conflict`.
   * Not with `steer`: only turns remember their keys.
   */
  readonly idempotencyKey?: string;
}

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  /** Begins with `harness.` exactly when the harness's own terminal was seen. */
  readonly reason: string;
  readonly stopReason?: string;
  readonly error?: ErrorInfo;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Seq of `turn.ended`. */
  readonly seq: number;
}

/** What is handed into a running turn. */
export interface SteerOptions {
  readonly sessionId: string;
  readonly turnId: string;
  /** Text, or parts. */
  readonly input: string | readonly InputPart[];
}

/** Whether input got into the turn. What became of it then is told by `input.ended`. */
export type Steered = { readonly outcome: "sent"; readonly inputId: string } | { readonly outcome: "missed" };

/** An accepted turn: its prompt is stored. */
export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  readonly status: TurnRecord["status"];
  /** Seq of `turn.queued`: subscribe after the one before it to see the whole turn. */
  readonly seq: number;
  /**
   * Resolves when the turn has its verdict, whichever it is. Rejects only when this process cannot follow
   * it any further: the store failed (`store-…`), another host took the session (`fenced`), or `closed`.
   */
  readonly settled: Promise<TurnResult>;
}

/** A page of something numbered. */
export interface Page {
  readonly after?: number;
  readonly limit?: number;
}

/** Sessions: an agent at work in a directory, kept by the store. */
export interface Sessions {
  create(options: CreateSession): Promise<Session>;
  get(sessionId: string): Promise<Session>;
  /** Latest first. */
  list(options?: { readonly limit?: number }): Promise<readonly Session[]>;
  /** A new model is taken as by `config.update`. */
  update(sessionId: string, change: { readonly title?: string; readonly model?: string }): Promise<Session>;
  /** Ends what runs, ends its streams with `session.deleted`, and forgets it. */
  delete(sessionId: string): Promise<void>;
  fork(sessionId: string): Promise<Session>;
}

/** Turns: one prompt through to its verdict. */
export interface Turns {
  start(options: StartTurnOptions): Promise<Turn>;
  /**
   * Hands more input into that turn while it runs: the turn then ends once that is done with as well. `missed`
   * when it does not run (any more): nothing was sent. `not-supported` where the harness takes no input while
   * it works.
   */
  steer(options: SteerOptions): Promise<Steered>;
  /**
   * Ends a turn as cancelled within `graceMs` (default: the deadline `cancelMs`), and with it the processes
   * it started. Resolves when that is done; a turn that has ended stays as it is.
   */
  cancel(options: {
    readonly sessionId: string;
    readonly turnId: string;
    readonly graceMs?: number;
  }): Promise<TurnRecord>;
  get(options: { readonly sessionId: string; readonly turnId: string }): Promise<TurnRecord>;
  /** In order of acceptance. */
  list(sessionId: string, page?: Page): Promise<readonly TurnRecord[]>;
}

/** What a stream starts after, and what ends it. */
export interface SubscribeOptions {
  readonly sessionId: string;
  /** The last seq already seen; 0 (default) for all. Beyond the log it is `cursor-ahead`. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** The log of a session. */
export interface Events {
  /**
   * Every event after the cursor, in order, without gap or repeat, then what comes. It pulls: a slow reader
   * costs nobody anything. Ends when the signal is aborted, the runtime is closed or the session is deleted:
   * then `session.deleted` is the last event, also for a reader that was behind, and for one that comes later.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<AgentRuntimeEvent>;
  list(sessionId: string, page?: Page): Promise<readonly AgentRuntimeEvent[]>;
}

/** The transcript: the rows a person reads. */
export interface Messages {
  /** Rows by ordinal, up to the last committed event, parts that are still open included. */
  list(
    sessionId: string,
    page?: Page,
  ): Promise<{ readonly seq: number; readonly rows: readonly TranscriptRow[] }>;
}

/** What works here. */
export interface Health {
  status(): Promise<{
    readonly storeId: string;
    readonly hostId: string;
    readonly harnesses: readonly HarnessReport[];
  }>;
}

/** Whether a harness can be used here. */
export interface HarnessReport extends HarnessHealth {
  readonly id: string;
  readonly access: readonly HarnessAccess[];
  readonly capabilities: HarnessCapabilities;
}

/** The whole of a host's dealings with agents. Closing it ends what runs and lets its sessions go. */
export interface AgentRuntime extends AsyncDisposable {
  /**
   * Resolves once the store is open and the sessions that a lost host left in the middle of a turn are
   * settled; tells which. Rejects when the store cannot be opened, as every other call then does.
   */
  readonly ready: Promise<RecoveryReport>;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly events: Events;
  readonly messages: Messages;
  readonly permissions: Permissions;
  readonly questions: Questions;
  readonly todos: Todos;
  readonly tasks: Tasks;
  readonly mcp: Mcp;
  readonly commands: Commands;
  readonly models: Models;
  readonly config: Config;
  readonly capabilities: { get(sessionId: string): Promise<HarnessCapabilities> };
  readonly health: Health;
  /** Closes it, once; later calls answer the same. */
  close(): Promise<void>;
}

/** What was found at the start. */
export interface RecoveryReport {
  /** Sessions whose running turn was settled. */
  readonly recovered: readonly string[];
  /** Sessions that could not be: the message says why. They stay `recovering` and are tried again when used. */
  readonly failed: readonly { readonly sessionId: string; readonly message: string }[];
}
