import type { Json } from "../base/json.ts";
import type {
  ErrorInfo,
  ExitInfo,
  HarnessEndReason,
  InputOutcome,
  InputPart,
  MessageOutcome,
  Native,
  PermissionOption,
  PermissionOutcome,
  Question,
  QuestionOutcome,
  RunOutcome,
  SessionStatus,
  TaskOutcome,
  TodoItem,
  ToolKind,
  ToolLocation,
  ToolOutcome,
  TurnOutcome,
  Usage,
} from "./event-values.ts";
import type { Diagnostic } from "./diagnostic.ts";

/**
 * What every event carries. `seq` starts at 1 and has neither gap nor repeat within a session for its
 * whole life: it is the cursor of every stream.
 */
export interface EventEnvelope {
  readonly v: 1;
  readonly seq: number;
  readonly sessionId: string;
  /** Milliseconds since the epoch: the frame's `at`, or the host's clock. Not monotone: never sort by it. */
  readonly time: number;
  /** Id of the adapter that translates this session now. */
  readonly adapter: string;
  /** Index of the frame among this session's frames, over its whole life. Absent when no frame caused it. */
  readonly frame?: number;
  /** The turn this belongs to. */
  readonly turnId?: string;
  /** The run this belongs to. */
  readonly runId?: string;
  /** Ids of the subagent tasks this happened in, innermost first. Absent for the main agent. */
  readonly agent?: readonly string[];
  /** About work whose run has ended. */
  readonly late?: true;
  /** History told again: views may fill gaps by id, nothing else reacts, usage is not counted. */
  readonly replayed?: true;
}

// Sessions and harnesses

/** Facts about the session that changed; absent fields did not. */
export interface SessionUpdated {
  readonly type: "session.updated";
  readonly title?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly cwd?: string;
  readonly commands?: readonly string[];
  readonly capabilities?: Json;
}
/** The session's status after this commit. Informative: its value is always computed from the log. */
export interface SessionStatusChanged {
  readonly type: "session.status";
  readonly status: SessionStatus;
}
/** The session is gone; its streams end after this. */
export interface SessionDeleted {
  readonly type: "session.deleted";
}
/** A host took over a session whose host is gone, and settles what that one left open. */
export interface RecoveryStarted {
  readonly type: "recovery.started";
  /** The host that was lost, where known. */
  readonly hostId?: string;
}
/** Everything the lost host left open has an outcome. */
export interface RecoveryEnded {
  readonly type: "recovery.ended";
}
/** A connection to a harness is up: one start of one program, or one server link. */
export interface HarnessStarted {
  readonly type: "harness.started";
  readonly harnessId: string;
  readonly access: "acp" | "native";
  readonly connection: number;
  readonly nativeSessionId?: string;
  /** The model in use, as the harness names it. */
  readonly model?: string;
  /** Whether the harness went on from a session of its own. */
  readonly resumed: boolean;
}
/** The harness named its session, or changed the name. */
export interface HarnessUpdated {
  readonly type: "harness.updated";
  readonly nativeSessionId: string;
}
/** The connection is over. */
export interface HarnessEnded {
  readonly type: "harness.ended";
  readonly reason: HarnessEndReason;
  readonly exit?: ExitInfo;
}

// Turns (ours) and runs (the harness's)

/** A prompt was accepted and stored; nothing has been sent yet. */
export interface TurnQueued {
  readonly type: "turn.queued";
  readonly turnId: string;
  readonly inputId: string;
  readonly input: readonly InputPart[];
  readonly idempotencyKey?: string;
}
/** The turn is the one the session works on now. */
export interface TurnStarted {
  readonly type: "turn.started";
  readonly turnId: string;
}
/** The durable verdict of a turn. `reason` begins with `harness.` exactly when the harness's own terminal was seen. */
export interface TurnEnded {
  readonly type: "turn.ended";
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  readonly reason: string;
  readonly stopReason?: string;
  readonly error?: ErrorInfo;
  readonly usage?: Usage;
  readonly costUsd?: number;
}
/** The harness began to work. */
export interface RunStarted {
  readonly type: "run.started";
  readonly runId: string;
  readonly origin: "user" | "harness";
  readonly cause?: string;
}
/** The harness's own account of how its work ended. Usage and cost are of this run alone. */
export interface RunEnded {
  readonly type: "run.ended";
  readonly runId: string;
  readonly outcome: RunOutcome;
  readonly reason: string;
  readonly stopReason?: string;
  readonly error?: ErrorInfo;
  readonly usage?: Usage;
  readonly costUsd?: number;
}

// Inputs, messages, tools

/** An input is on its way to the harness. Written down before it is written out. */
export interface InputSent {
  readonly type: "input.sent";
  readonly inputId: string;
  readonly parts: readonly InputPart[];
  /** Sent into a running run. */
  readonly steer?: true;
  /** Not typed by a user, such as a transcript handed over. */
  readonly synthetic?: true;
}
/** The harness took the input up in this run. */
export interface InputJoined {
  readonly type: "input.joined";
  readonly inputId: string;
  readonly runId: string;
}
/** What became of the input. */
export interface InputEnded {
  readonly type: "input.ended";
  readonly inputId: string;
  readonly outcome: InputOutcome;
  readonly error?: ErrorInfo;
}
/** A message opens. */
export interface MessageStarted {
  readonly type: "message.started";
  readonly messageId: string;
  readonly role: "user" | "assistant" | "system";
  /** The input this message echoes. */
  readonly inputId?: string;
  readonly synthetic?: true;
}
/** Text to append to a part; the first delta of a part opens it. */
export interface MessageDelta {
  readonly type: "message.delta";
  readonly messageId: string;
  readonly partId: string;
  readonly kind: "text" | "reasoning";
  readonly text: string;
}
/** A part that comes whole. */
export interface PartAdded {
  readonly type: "part.added";
  readonly messageId: string;
  readonly partId: string;
  readonly kind: "image" | "audio" | "resource";
  readonly mediaType: string;
  readonly data?: string;
  readonly uri?: string;
}
/** A part is whole; `text` replaces what the deltas built. */
export interface PartEnded {
  readonly type: "part.ended";
  readonly messageId: string;
  readonly partId: string;
  readonly kind: "text" | "reasoning";
  readonly text: string;
}
/** A message is over. */
export interface MessageEnded {
  readonly type: "message.ended";
  readonly messageId: string;
  readonly outcome: MessageOutcome;
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: ErrorInfo;
}
/** A tool call opens. */
export interface ToolStarted {
  readonly type: "tool.started";
  readonly callId: string;
  readonly messageId?: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly title?: string;
  readonly input?: Json;
  readonly locations?: readonly ToolLocation[];
}
/** A piece of the tool call's input as the model writes it: raw JSON text to append. */
export interface ToolInputDelta {
  readonly type: "tool.input.delta";
  readonly callId: string;
  readonly text: string;
}
/** Fields of a tool call that are replaced; `output` is the whole output so far. */
export interface ToolUpdated {
  readonly type: "tool.updated";
  readonly callId: string;
  readonly title?: string;
  readonly input?: Json;
  readonly output?: string;
  readonly locations?: readonly ToolLocation[];
}
/** Output to append. */
export interface ToolOutputDelta {
  readonly type: "tool.output.delta";
  readonly callId: string;
  readonly stream: "stdout" | "stderr" | "output";
  readonly text: string;
}
/** A tool call is over; `output` is whole. */
export interface ToolEnded {
  readonly type: "tool.ended";
  readonly callId: string;
  readonly outcome: ToolOutcome;
  readonly output?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
}
/** A correction after the end: replaces outcome, output and usage in views; machines ignore it. */
export interface ToolAmended {
  readonly type: "tool.amended";
  readonly callId: string;
  readonly outcome: ToolOutcome;
  readonly output?: string;
}

// Files, plans, asks, tasks

/** A file of the workspace changed. */
export interface FileChanged {
  readonly type: "file.changed";
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "moved";
  readonly diff?: string;
  readonly callId?: string;
}
/** The agent's plan as prose, whole each time. */
export interface PlanUpdated {
  readonly type: "plan.updated";
  readonly text: string;
}
/** The agent's list of things to do, whole each time. */
export interface TodoUpdated {
  readonly type: "todo.updated";
  readonly items: readonly TodoItem[];
}
/** The harness asks whether it may do something. */
export interface PermissionRequested {
  readonly type: "permission.requested";
  readonly requestId: string;
  readonly callId?: string;
  readonly title?: string;
  readonly options: readonly PermissionOption[];
  readonly native: Native;
}
/** The answer, or why there is none. */
export interface PermissionEnded {
  readonly type: "permission.ended";
  readonly requestId: string;
  readonly outcome: PermissionOutcome;
  readonly by: "user" | "policy" | "harness";
  readonly scope?: "once" | "session" | "always";
}
/** The harness asks the user something. */
export interface QuestionRequested {
  readonly type: "question.requested";
  readonly requestId: string;
  readonly callId?: string;
  readonly questions: readonly Question[];
  readonly native: Native;
}
/** The answer, or why there is none. */
export interface QuestionEnded {
  readonly type: "question.ended";
  readonly requestId: string;
  readonly outcome: QuestionOutcome;
  readonly by: "user" | "policy" | "harness";
  readonly answers?: readonly string[];
}
/** A subagent or background work began. */
export interface TaskStarted {
  readonly type: "task.started";
  readonly taskId: string;
  readonly kind: "agent" | "background";
  readonly callId?: string;
  readonly title?: string;
}
/** News of a task. */
export interface TaskUpdated {
  readonly type: "task.updated";
  readonly taskId: string;
  readonly summary?: string;
}
/** A task is over. */
export interface TaskEnded {
  readonly type: "task.ended";
  readonly taskId: string;
  readonly outcome: TaskOutcome;
  readonly summary?: string;
}

// Accounting and notices

/** Token counts; the last snapshot for a message id wins. */
export interface UsageUpdated {
  readonly type: "usage.updated";
  readonly scope: "message" | "run" | "session";
  readonly semantics: "cumulative" | "delta";
  readonly messageId?: string;
  readonly usage: Usage;
  readonly costUsd?: number;
}
/** What the model provider says of its limits. */
export interface RateLimitUpdated {
  readonly type: "ratelimit.updated";
  readonly status: "ok" | "warning" | "rejected";
  readonly resetsAt?: number;
}
/** The harness will try a failed model call again. */
export interface RetryScheduled {
  readonly type: "retry.scheduled";
  readonly attempt: number;
  readonly max?: number;
  readonly delayMs: number;
  readonly error?: ErrorInfo;
}
/** The harness began to shorten its context. */
export interface CompactionStarted {
  readonly type: "compaction.started";
  readonly compactionId: string;
  readonly cause: "manual" | "threshold" | "overflow" | "other";
}
/** The context is shorter, or not. */
export interface CompactionEnded {
  readonly type: "compaction.ended";
  readonly compactionId: string;
  readonly outcome: "completed" | "failed" | "cancelled" | "abandoned";
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  readonly error?: ErrorInfo;
}
/** The harness's login changed. */
export interface AuthUpdated {
  readonly type: "auth.updated";
  readonly status: "ok" | "required" | "failed";
  readonly message?: string;
}
/** State of one MCP server of the harness. */
export interface McpUpdated {
  readonly type: "mcp.updated";
  readonly server: string;
  readonly status: "connected" | "connecting" | "failed" | "disabled";
  readonly message?: string;
}
/** Something the harness says to the user outside messages. */
export interface NoticeAdded {
  readonly type: "notice.added";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}
/** Garbage, an unknown kind, a lossy mapping, a fault of an adapter: reported, never thrown. */
export interface DiagnosticAdded extends Diagnostic {
  readonly type: "diagnostic";
}

/** What an event says, without its envelope. */
export type EventBody =
  | SessionUpdated
  | SessionStatusChanged
  | SessionDeleted
  | RecoveryStarted
  | RecoveryEnded
  | HarnessStarted
  | HarnessUpdated
  | HarnessEnded
  | TurnQueued
  | TurnStarted
  | TurnEnded
  | RunStarted
  | RunEnded
  | InputSent
  | InputJoined
  | InputEnded
  | MessageStarted
  | MessageDelta
  | PartAdded
  | PartEnded
  | MessageEnded
  | ToolStarted
  | ToolInputDelta
  | ToolUpdated
  | ToolOutputDelta
  | ToolEnded
  | ToolAmended
  | FileChanged
  | PlanUpdated
  | TodoUpdated
  | PermissionRequested
  | PermissionEnded
  | QuestionRequested
  | QuestionEnded
  | TaskStarted
  | TaskUpdated
  | TaskEnded
  | UsageUpdated
  | RateLimitUpdated
  | RetryScheduled
  | CompactionStarted
  | CompactionEnded
  | AuthUpdated
  | McpUpdated
  | NoticeAdded
  | DiagnosticAdded;

/** One thing that happened in a session: the only vocabulary hosts, stores and views need. */
export type AgentRuntimeEvent = EventBody & EventEnvelope;

/** The name of an event: `noun.participle`. */
export type EventType = EventBody["type"];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<EventBody, { readonly type: Type }> & EventEnvelope;

/** An event before it has a number: a body, and what its author knows of the envelope. */
export type EventDraft = EventBody & Pick<EventEnvelope, "runId" | "agent" | "late" | "replayed">;
