import { number, text } from "../../base/read.ts";
import type { ErrorInfo } from "../../event/event-values.ts";
import type { ClaudeState } from "./claude-state.ts";
import { compacted, compactionResult, compactionStarted } from "./compaction.ts";
import { agentKey, idOf } from "./frames.ts";
import { dropAttempt } from "./messages.ts";
import { at, mainPlace } from "./place.ts";
import { initialised, tellFacts } from "./session.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, says, silent, unknownFrame } from "./step.ts";
import { taskNotified, taskProgressed, taskStarted, taskUpdated } from "./task-news.ts";
import { backgroundChanged } from "./tasks.ts";
import { withTool } from "./tools.ts";
import { lookup } from "../../base/keyed-list.ts";

/** `system`: what the CLI says of itself, by subtype. */
export const systemSaid: ClaudeHandler = (state, payload, context) => {
  const subtype = text(payload, "subtype") ?? "";
  const handler = SUBTYPES.get(subtype);
  return handler === undefined
    ? unknownFrame(state, `system frames of subtype "${subtype}"`)
    : handler(state, payload, context);
};

const statusChanged: ClaudeHandler = (state, payload, context) => {
  const told = tellFacts(state, { mode: text(payload, "permissionMode") });
  return andThen(told, (open) =>
    text(payload, "status") === "compacting"
      ? compactionStarted(open, context)
      : compactionResult(open, payload),
  );
};

const retryScheduled: ClaudeHandler = (state, payload) => {
  const max = number(payload, "max_retries");
  const dropped = dropAttempt(state, agentKey(payload));
  return andThen(dropped, (open) =>
    says(open, {
      type: "retry.scheduled",
      attempt: number(payload, "attempt") ?? 1,
      ...(max === undefined ? undefined : { max }),
      delayMs: number(payload, "retry_delay_ms") ?? 0,
      error: retryError(payload),
      ...at(mainPlace(open)),
    }),
  );
};

function retryError(payload: unknown): ErrorInfo {
  const code = text(payload, "error")?.slice(0, 100);
  const status = number(payload, "error_status");
  const what =
    code === undefined || code === "unknown" ? "The model call failed" : `The model call failed: ${code}`;
  return {
    message: status === undefined ? what : `${what} (${status})`,
    ...(code === undefined ? undefined : { code }),
    ...(status === undefined ? undefined : { status }),
  };
}

/** Nobody was asked: the rules refused. The call's result follows. */
const permissionDenied: ClaudeHandler = (state, payload) => {
  const id = idOf(payload, "tool_use_id");
  const tool = id === undefined ? undefined : lookup(state.tools, id);
  return silent(
    id === undefined || tool === undefined ? state : withTool(state, id, { ...tool, denied: true }),
  );
};

const informed: ClaudeHandler = (state, payload) =>
  notice(state, text(payload, "content"), text(payload, "level"));

/** For the CLI's own status line. */
const notified: ClaudeHandler = (state, payload) => notice(state, text(payload, "text"), "info");

const modelFellBack: ClaudeHandler = (state, payload) =>
  andThen(notice(state, text(payload, "content"), "warning"), (open) =>
    tellFacts(open, { model: text(payload, "fallback_model") }),
  );

/** A hook that failed is worth a word. */
const hookAnswered: ClaudeHandler = (state, payload) => {
  const code = number(payload, "exit_code");
  if (code === undefined || code === 0) return silent(state);
  const name = text(payload, "hook_name") ?? "A hook";
  const why = text(payload, "stderr")?.trim() ?? "";
  return notice(state, `${name} ended with code ${code}${why === "" ? "" : `: ${why}`}`, "warning");
};

function notice(state: ClaudeState, said: string | undefined, level: string | undefined): ClaudeStep {
  const shown = said?.trim().slice(0, 4000) ?? "";
  if (shown === "") return silent(state);
  return says(state, {
    type: "notice.added",
    level: level === "warning" || level === "error" ? level : "info",
    text: shown,
    ...at(mainPlace(state)),
  });
}

const retitled: ClaudeHandler = (state, payload) =>
  says(state, { type: "session.updated", title: text(payload, "title") ?? "" });

const known: ClaudeHandler = (state) => silent(state);

const SUBTYPES: ReadonlyMap<string, ClaudeHandler> = new Map<string, ClaudeHandler>([
  ["init", initialised],
  ["status", statusChanged],
  ["api_retry", retryScheduled],
  ["compact_boundary", compacted],
  ["task_started", taskStarted],
  ["task_progress", taskProgressed],
  ["task_updated", taskUpdated],
  ["task_notification", taskNotified],
  ["background_tasks_changed", backgroundChanged],
  ["permission_denied", permissionDenied],
  ["informational", informed],
  ["local_command_output", informed],
  ["notification", notified],
  ["model_fallback", modelFellBack],
  ["hook_response", hookAnswered],
  ["session_title_changed", retitled],
  ["hook_started", known], // its answer tells what there is to tell
  ["hook_progress", known],
  ["session_state_changed", known], // runs and asks tell it
  ["thinking_tokens", known], // an estimate; usage tells the count
  ["control_request_progress", known], // between the host and the CLI
  ["elicitation_complete", known], // the answer to the question told it
  ["files_persisted", known], // bookkeeping
  ["ui_invalidate", known], // for the CLI's own screens
]);
