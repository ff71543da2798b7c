import type { Json } from "../../base/json.ts";
import type {
  ErrorInfo,
  InputOutcome,
  InputPart,
  MessageOutcome,
  PermissionOption,
  PermissionOutcome,
  Question,
  QuestionOutcome,
  TaskOutcome,
  TodoItem,
  ToolKind,
  ToolLocation,
  ToolOutcome,
  TurnOutcome,
  Usage,
} from "../../event/event-values.ts";

/** What every row carries. Rows are keyed by `rowId` and read in order of `ordinal`. */
export interface RowFrame {
  /** Unique within the session, and the same each time the row is written. */
  readonly rowId: string;
  /** `seq` of the event that opened the row. */
  readonly ordinal: number;
  readonly turnId?: string;
  readonly runId?: string;
  /** Ids of the subagent tasks it belongs to, innermost first. */
  readonly agent?: readonly string[];
  /** Milliseconds since the epoch. `completed` is set when the row is whole. */
  readonly time: { readonly created: number; readonly completed?: number };
}

/** What the user said. `queued` and `sent` are not final; `known` is a message that no input of ours caused. */
export interface InputRow extends RowFrame {
  readonly type: "input";
  /** Absent for a user message that the host did not send. */
  readonly inputId?: string;
  readonly parts: readonly InputPart[];
  readonly status: "queued" | "sent" | InputOutcome;
  readonly steer?: true;
  readonly synthetic?: true;
  readonly error?: ErrorInfo;
}
/** A part of what the agent said, or thought. */
export interface TextRow extends RowFrame {
  readonly type: "text" | "reasoning";
  readonly messageId: string;
  readonly role: "assistant" | "system";
  readonly text: string;
  /** Of the part: `completed` unless its message ended before it did. */
  readonly outcome?: MessageOutcome;
}
/** An image, a sound or a resource that the agent showed. */
export interface MediaRow extends RowFrame {
  readonly type: "media";
  readonly messageId: string;
  readonly kind: "image" | "audio" | "resource";
  readonly mediaType: string;
  readonly data?: string;
  readonly uri?: string;
}
/** A tool call. */
export interface ToolRow extends RowFrame {
  readonly type: "tool";
  readonly callId: string;
  readonly name: string;
  readonly toolKind: ToolKind;
  readonly title?: string;
  readonly input?: Json;
  readonly locations?: readonly ToolLocation[];
  readonly output?: string;
  readonly outcome?: ToolOutcome;
  readonly exitCode?: number;
  readonly durationMs?: number;
}
/** A correction of the tool row of that call, which is written already. */
export interface AmendmentRow extends RowFrame {
  readonly type: "amendment";
  readonly callId: string;
  readonly outcome: ToolOutcome;
  readonly output?: string;
}
/** A change to a file of the workspace. */
export interface FileRow extends RowFrame {
  readonly type: "file";
  readonly path: string;
  readonly change: "added" | "modified" | "deleted" | "moved";
  readonly diff?: string;
  readonly callId?: string;
}
/** The agent's plan, as the run left it. */
export interface PlanRow extends RowFrame {
  readonly type: "plan";
  readonly text: string;
}
/** The agent's list of things to do, as the run left it. */
export interface TodoRow extends RowFrame {
  readonly type: "todo";
  readonly items: readonly TodoItem[];
}
/** A request for permission and its answer. */
export interface PermissionRow extends RowFrame {
  readonly type: "permission";
  readonly requestId: string;
  readonly callId?: string;
  readonly title?: string;
  readonly options: readonly PermissionOption[];
  readonly outcome?: PermissionOutcome;
  readonly by?: "user" | "policy" | "harness";
  readonly scope?: "once" | "session" | "always";
}
/** A question and its answer. */
export interface QuestionRow extends RowFrame {
  readonly type: "question";
  readonly requestId: string;
  readonly callId?: string;
  readonly questions: readonly Question[];
  readonly outcome?: QuestionOutcome;
  readonly by?: "user" | "policy" | "harness";
  readonly answers?: readonly string[];
}
/** A subagent or background work. */
export interface TaskRow extends RowFrame {
  readonly type: "task";
  readonly taskId: string;
  readonly kind: "agent" | "background";
  readonly callId?: string;
  readonly title?: string;
  readonly summary?: string;
  readonly outcome?: TaskOutcome;
}
/** The verdict on a turn: made by `turn.ended`, so it stands after what the turn brought. */
export interface TurnRow extends RowFrame {
  readonly type: "turn";
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  readonly reason: string;
  readonly error?: ErrorInfo;
  readonly usage?: Usage;
  readonly costUsd?: number;
}
/** Something a reader should know: notices, warnings and faults, retries, compactions, lost harnesses. */
export interface NoticeRow extends RowFrame {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** One row of the transcript. */
export type TranscriptRow =
  | InputRow
  | TextRow
  | MediaRow
  | ToolRow
  | AmendmentRow
  | FileRow
  | PlanRow
  | TodoRow
  | PermissionRow
  | QuestionRow
  | TaskRow
  | TurnRow
  | NoticeRow;
