import * as z from "zod/mini";
import type { Diagnostic } from "../event/diagnostic.ts";
import { type EventSchemas, schemasOf } from "./envelope-schema.ts";
import {
  text,
  number,
  json,
  maybeText,
  maybeNumber,
  maybeJson,
  maybeTexts,
  permissionOutcome,
  questionOutcome,
  taskOutcome,
  usage,
  maybeError,
  permissionOption,
  question,
} from "./value-schemas.ts";

const answerer = z.enum(["user", "policy", "harness"]);
const scope = z.enum(["once", "session", "always"]);
const level = z.enum(["info", "warning", "error"]);
// Any text: the known codes are there for completion in editors.
const code: z.ZodMiniType<Diagnostic["code"]> = text;

/** Asks, tasks, accounting, and what is told beside the work. */
export const sideSchemas: EventSchemas<
  | "permission.requested"
  | "permission.ended"
  | "question.requested"
  | "question.ended"
  | "task.started"
  | "task.updated"
  | "task.ended"
  | "usage.updated"
  | "ratelimit.updated"
  | "retry.scheduled"
  | "compaction.started"
  | "compaction.ended"
  | "auth.updated"
  | "mcp.updated"
  | "notice.added"
  | "diagnostic"
> = schemasOf({
  "permission.requested": {
    requestId: text,
    callId: maybeText,
    title: maybeText,
    options: z.array(permissionOption),
    native: json,
  },
  "permission.ended": {
    requestId: text,
    outcome: permissionOutcome,
    by: answerer,
    scope: z.exactOptional(scope),
  },
  "question.requested": {
    requestId: text,
    callId: maybeText,
    questions: z.array(question),
    native: json,
  },
  "question.ended": { requestId: text, outcome: questionOutcome, by: answerer, answers: maybeTexts },
  "task.started": {
    taskId: text,
    kind: z.enum(["agent", "background"]),
    callId: maybeText,
    title: maybeText,
  },
  "task.updated": { taskId: text, summary: maybeText },
  "task.ended": { taskId: text, outcome: taskOutcome, summary: maybeText },
  "usage.updated": {
    scope: z.enum(["message", "run", "session"]),
    semantics: z.enum(["cumulative", "delta"]),
    messageId: maybeText,
    usage,
    costUsd: maybeNumber,
  },
  "ratelimit.updated": { status: z.enum(["ok", "warning", "rejected"]), resetsAt: maybeNumber },
  "retry.scheduled": { attempt: number, max: maybeNumber, delayMs: number, error: maybeError },
  "compaction.started": { compactionId: text, cause: z.enum(["manual", "threshold", "overflow", "other"]) },
  "compaction.ended": {
    compactionId: text,
    outcome: z.enum(["completed", "failed", "cancelled", "abandoned"]),
    tokensBefore: maybeNumber,
    tokensAfter: maybeNumber,
    error: maybeError,
  },
  "auth.updated": { status: z.enum(["ok", "required", "failed"]), message: maybeText },
  "mcp.updated": {
    server: text,
    status: z.enum(["connected", "connecting", "failed", "disabled"]),
    message: maybeText,
  },
  "notice.added": { level, text },
  diagnostic: { code, severity: level, message: text, detail: maybeJson, count: maybeNumber },
});
