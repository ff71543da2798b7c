import type { EventEnvelope, EventOf } from "../../event/agent-runtime-event.ts";
import type { NoticeRow, TranscriptRow } from "./rows.ts";
import {
  type TranscriptState,
  type TranscriptStep,
  closeEach,
  frameOf,
  keep,
  openRow,
  quietly,
  wholeFrameOf,
  write,
} from "./transcript-state.ts";

/** What the harness says to the user outside messages. */
export function noticeAdded(state: TranscriptState, event: EventOf<"notice.added">): TranscriptStep {
  return notice(state, event, event.level, event.text);
}

/** Warnings and faults are for readers; mere information is for whoever looks at the events. */
export function diagnostic(state: TranscriptState, event: EventOf<"diagnostic">): TranscriptStep {
  return event.severity === "info" ? quietly(state) : notice(state, event, event.severity, event.message);
}

/** A model call failed and will be tried again. */
export function retryScheduled(state: TranscriptState, event: EventOf<"retry.scheduled">): TranscriptStep {
  const { attempt, max, delayMs, error } = event;
  const which = max === undefined ? `${attempt}` : `${attempt} of ${max}`;
  const why = error === undefined ? "" : ` after: ${error.message}`;
  return notice(state, event, "warning", `Retry ${which} in ${delayMs / 1000} s${why}`);
}

/** The context is shorter, or could not be made so. */
export function compactionEnded(state: TranscriptState, event: EventOf<"compaction.ended">): TranscriptStep {
  if (event.outcome === "completed") return notice(state, event, "info", "The context was compacted.");
  const why = event.error === undefined ? "" : `: ${event.error.message}`;
  return notice(state, event, "warning", `The compaction of the context ended as ${event.outcome}${why}`);
}

/** The harness is gone without being asked to go. */
export function harnessEnded(state: TranscriptState, event: EventOf<"harness.ended">): TranscriptStep {
  if (event.reason !== "crashed" && event.reason !== "lost") return quietly(state);
  const why = event.exit?.message === undefined ? "" : `: ${event.exit.message}`;
  const text =
    event.reason === "crashed"
      ? `The harness ended unexpectedly${why}`
      : `The connection to the harness was lost${why}`;
  return notice(state, event, "error", text);
}

/** Limits of the model provider, when they bite. */
export function rateLimitUpdated(
  state: TranscriptState,
  event: EventOf<"ratelimit.updated">,
): TranscriptStep {
  if (event.status === "ok") return quietly(state);
  const text =
    event.status === "rejected"
      ? "The provider's rate limit is used up."
      : "The provider's rate limit is nearly used up.";
  return notice(state, event, "warning", text);
}

/** The login, when it does not hold. */
export function authUpdated(state: TranscriptState, event: EventOf<"auth.updated">): TranscriptStep {
  if (event.status === "ok") return quietly(state);
  const text =
    event.message ??
    (event.status === "required" ? "The harness wants a login." : "The login of the harness failed.");
  return notice(state, event, "warning", text);
}

/** An MCP server, when it fails. */
export function mcpUpdated(state: TranscriptState, event: EventOf<"mcp.updated">): TranscriptStep {
  if (event.status !== "failed") return quietly(state);
  const why = event.message === undefined ? "" : `: ${event.message}`;
  return notice(state, event, "warning", `The MCP server "${event.server}" failed${why}`);
}

/** A plan is whole each time; its row is written when its run ends. */
export function planUpdated(state: TranscriptState, event: EventOf<"plan.updated">): TranscriptStep {
  if (event.runId === undefined)
    return write(state, { ...wholeFrameOf(event, `plan:${event.seq}`), type: "plan", text: event.text });
  const rowId = `plan:run:${event.runId}`;
  const row = openRow(state, rowId, "plan");
  return quietly(keep(state, { ...(row ?? frameOf(event, rowId)), type: "plan", text: event.text }));
}

/** A list of things to do is whole each time; its row is written when its run ends. */
export function todoUpdated(state: TranscriptState, event: EventOf<"todo.updated">): TranscriptStep {
  if (event.runId === undefined)
    return write(state, { ...wholeFrameOf(event, `todo:${event.seq}`), type: "todo", items: event.items });
  const rowId = `todo:run:${event.runId}`;
  const row = openRow(state, rowId, "todo");
  return quietly(keep(state, { ...(row ?? frameOf(event, rowId)), type: "todo", items: event.items }));
}

/** The run's plan and list are as they will stay; where no turn tells of a failure, a notice does. */
export function runEnded(state: TranscriptState, event: EventOf<"run.ended">): TranscriptStep {
  const closed = closeEach(
    state,
    (row) => (row.runId === event.runId ? leftByRun(row) : undefined),
    event.time,
  );
  if (event.outcome !== "failed" || event.turnId !== undefined) return closed;
  const told = notice(
    closed.state,
    event,
    "error",
    event.error?.message ?? `The run failed (${event.reason}).`,
  );
  return { state: told.state, output: [...closed.output, ...told.output] };
}

/** Inputs end before their run does; what is left was known by its echo alone. */
function leftByRun(row: TranscriptRow): TranscriptRow | undefined {
  if (row.type === "input") return { ...row, status: "known" };
  return row.type === "plan" || row.type === "todo" ? row : undefined;
}

function notice(
  state: TranscriptState,
  event: EventEnvelope,
  level: NoticeRow["level"],
  text: string,
): TranscriptStep {
  return write(state, { ...wholeFrameOf(event, `notice:${event.seq}`), type: "notice", level, text });
}
