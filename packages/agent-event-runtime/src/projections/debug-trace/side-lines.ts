import type { EventHandlers } from "../../projection/projection.ts";
import { fact, failure, milliseconds, quoted, quotedJson, spent, word, clock } from "./trace-line.ts";
import { type DebugTraceState, end, start, tell } from "./trace-state.ts";

/** Asks, tasks, accounting, and what is told beside the work. */
export const sideLines: Pick<
  EventHandlers<DebugTraceState, string>,
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
> = {
  "permission.requested": (state, event) =>
    start(
      state,
      event,
      ["permission", event.requestId],
      [fact("call", event.callId), fact("options", event.options.length), quoted(event.title)],
    ),
  "permission.ended": (state, event) =>
    end(state, event, ["permission", event.requestId], [fact("by", event.by), fact("scope", event.scope)]),
  "question.requested": (state, event) =>
    start(
      state,
      event,
      ["question", event.requestId],
      [
        fact("call", event.callId),
        fact("questions", event.questions.length),
        quoted(event.questions[0]?.prompt),
      ],
    ),
  "question.ended": (state, event) =>
    end(
      state,
      event,
      ["question", event.requestId],
      [fact("by", event.by), quoted(event.answers?.join(", "))],
    ),
  "task.started": (state, event) =>
    start(
      state,
      event,
      ["task", event.taskId],
      [fact("call", event.callId), word(event.kind), quoted(event.title)],
    ),
  "task.updated": (state, event) => tell(state, event, [fact("task", event.taskId), quoted(event.summary)]),
  "task.ended": (state, event) => end(state, event, ["task", event.taskId], [quoted(event.summary)]),
  "usage.updated": (state, event) =>
    tell(state, event, [
      fact("message", event.messageId),
      word(event.scope),
      word(event.semantics),
      ...spent(event.usage, event.costUsd),
    ]),
  "ratelimit.updated": (state, event) =>
    tell(state, event, [
      word(event.status),
      fact("resets", event.resetsAt === undefined ? undefined : clock(event.resetsAt)),
    ]),
  "retry.scheduled": (state, event) =>
    tell(state, event, [
      fact("attempt", event.attempt),
      fact("max", event.max),
      milliseconds("delay", event.delayMs),
      ...failure(event.error),
    ]),
  "compaction.started": (state, event) =>
    start(state, event, ["compaction", event.compactionId], [word(event.cause)]),
  "compaction.ended": (state, event) =>
    end(
      state,
      event,
      ["compaction", event.compactionId],
      [fact("before", event.tokensBefore), fact("after", event.tokensAfter), ...failure(event.error)],
    ),
  "auth.updated": (state, event) => tell(state, event, [word(event.status), quoted(event.message)]),
  "mcp.updated": (state, event) =>
    tell(state, event, [fact("server", event.server), word(event.status), quoted(event.message)]),
  "notice.added": (state, event) => tell(state, event, [word(event.level), quoted(event.text)]),
  diagnostic: (state, event) =>
    tell(state, event, [
      word(event.code),
      word(event.severity),
      fact("count", event.count),
      quoted(event.message),
      quotedJson(event.detail),
    ]),
};
