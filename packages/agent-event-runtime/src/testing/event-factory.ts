import type { AgentRuntimeEvent, EventDraft, EventType } from "../event/agent-runtime-event.ts";
import { emptySnapshot } from "../translation/runtime-snapshot.ts";
import { emit } from "../translation/translator.ts";

type Bodies = { readonly [Type in EventType]: Extract<EventDraft, { readonly type: Type }> };

/** One event of each type, in an order that could happen: a type without an example does not compile. */
const EXAMPLES: Bodies = {
  "harness.started": {
    type: "harness.started",
    harnessId: "pi",
    access: "native",
    connection: 1,
    resumed: false,
  },
  "harness.updated": { type: "harness.updated", nativeSessionId: "native-1" },
  "session.updated": { type: "session.updated", title: "A title", model: "mock/one" },
  "session.status": { type: "session.status", status: "busy" },
  "recovery.started": { type: "recovery.started", hostId: "host-1" },
  "recovery.ended": { type: "recovery.ended" },
  "turn.queued": {
    type: "turn.queued",
    turnId: "turn-1",
    inputId: "in-1",
    input: [{ type: "text", text: "Do it." }],
  },
  "turn.started": { type: "turn.started", turnId: "turn-1" },
  "input.sent": { type: "input.sent", inputId: "in-1", parts: [{ type: "text", text: "Do it." }] },
  "run.started": { type: "run.started", runId: "run-1", origin: "user" },
  "input.joined": { type: "input.joined", inputId: "in-1", runId: "run-1" },
  "message.started": { type: "message.started", messageId: "message-1", role: "assistant", runId: "run-1" },
  "message.delta": {
    type: "message.delta",
    messageId: "message-1",
    partId: "part-1",
    kind: "text",
    text: "Wor",
  },
  "part.added": {
    type: "part.added",
    messageId: "message-1",
    partId: "part-2",
    kind: "image",
    mediaType: "image/png",
    data: "AA",
  },
  "part.ended": {
    type: "part.ended",
    messageId: "message-1",
    partId: "part-1",
    kind: "text",
    text: "Working.",
  },
  "tool.started": {
    type: "tool.started",
    callId: "call-1",
    messageId: "message-1",
    name: "bash",
    kind: "execute",
    runId: "run-1",
  },
  "tool.input.delta": { type: "tool.input.delta", callId: "call-1", text: '{"command"' },
  "tool.updated": { type: "tool.updated", callId: "call-1", title: "make", input: { command: "make" } },
  "tool.output.delta": { type: "tool.output.delta", callId: "call-1", stream: "stdout", text: "ok" },
  "permission.requested": {
    type: "permission.requested",
    requestId: "permission-1",
    callId: "call-1",
    title: "Run make?",
    options: [{ optionId: "yes", label: "Yes", effect: "allow", scope: "once" }],
    native: 7,
    runId: "run-1",
  },
  "permission.ended": {
    type: "permission.ended",
    requestId: "permission-1",
    outcome: "allowed",
    by: "user",
    scope: "once",
  },
  "question.requested": {
    type: "question.requested",
    requestId: "question-1",
    questions: [{ prompt: "Which?", options: [{ label: "A" }], multiple: false }],
    native: null,
    runId: "run-1",
  },
  "question.ended": {
    type: "question.ended",
    requestId: "question-1",
    outcome: "answered",
    by: "user",
    answers: ["A"],
  },
  "file.changed": { type: "file.changed", path: "a.txt", change: "added", callId: "call-1" },
  "tool.ended": { type: "tool.ended", callId: "call-1", outcome: "ok", output: "ok", exitCode: 0 },
  "tool.amended": { type: "tool.amended", callId: "call-1", outcome: "failed", output: "not ok" },
  "plan.updated": { type: "plan.updated", text: "First this.", runId: "run-1" },
  "todo.updated": { type: "todo.updated", items: [{ text: "this", status: "active" }], runId: "run-1" },
  "task.started": {
    type: "task.started",
    taskId: "task-1",
    kind: "agent",
    title: "Look around",
    runId: "run-1",
  },
  "task.updated": { type: "task.updated", taskId: "task-1", summary: "Looking" },
  "task.ended": { type: "task.ended", taskId: "task-1", outcome: "completed", summary: "Seen" },
  "usage.updated": {
    type: "usage.updated",
    scope: "session",
    semantics: "cumulative",
    usage: { totalTokens: 5 },
  },
  "ratelimit.updated": { type: "ratelimit.updated", status: "warning" },
  "retry.scheduled": {
    type: "retry.scheduled",
    attempt: 1,
    max: 3,
    delayMs: 2000,
    error: { message: "500" },
  },
  "compaction.started": { type: "compaction.started", compactionId: "compaction-1", cause: "threshold" },
  "compaction.ended": { type: "compaction.ended", compactionId: "compaction-1", outcome: "completed" },
  "auth.updated": { type: "auth.updated", status: "required" },
  "mcp.updated": { type: "mcp.updated", server: "files", status: "failed", message: "no such program" },
  "notice.added": { type: "notice.added", level: "info", text: "By the way." },
  "message.ended": { type: "message.ended", messageId: "message-1", outcome: "completed" },
  "input.ended": { type: "input.ended", inputId: "in-1", outcome: "answered" },
  "run.ended": { type: "run.ended", runId: "run-1", outcome: "completed", reason: "harness.stop" },
  diagnostic: {
    type: "diagnostic",
    code: "frame.unknown",
    severity: "warning",
    message: "A frame was skipped.",
  },
  "turn.ended": { type: "turn.ended", turnId: "turn-1", outcome: "completed", reason: "harness.stop" },
  "harness.ended": { type: "harness.ended", reason: "crashed", exit: { code: 1 } },
  "session.deleted": { type: "session.deleted" },
};

/** One body of each type of event, in an order that could happen. */
export const everyDraft: readonly EventDraft[] = Object.values(EXAMPLES);

/** Where a history made up for a test belongs, and when it happens. */
export interface HistoryOptions {
  /** Default: `session`. */
  readonly sessionId?: string;
  /** Milliseconds since the epoch, for all events; default 1000. */
  readonly time?: number;
}

/** Makes a history of these bodies: numbered, stamped and held to the books as the translator does it. */
export function historyOf(
  drafts: readonly EventDraft[],
  options: HistoryOptions = {},
): readonly AgentRuntimeEvent[] {
  const { sessionId = "session", time = 1000 } = options;
  return emit(emptySnapshot(sessionId), drafts, time).events;
}

/** A short history with every type of event in it. */
export const everyEvent: readonly AgentRuntimeEvent[] = historyOf(everyDraft);
