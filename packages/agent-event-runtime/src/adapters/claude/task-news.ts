import { lookup } from "../../base/keyed-list.ts";
import { field, flag, text } from "../../base/read.ts";
import type { TaskOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState, ClaudeTask } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { amendRun } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, says, silent, strayFrame } from "./step.ts";
import { endTask, moveToBackground, openTask, taskOfCall, withTask } from "./tasks.ts";

/** A handler of news about a task that the frame names. */
type TaskHandler = (state: ClaudeState, id: string, payload: unknown, context: AdapterContext) => ClaudeStep;

/** Reads which task the frame is about. */
function aboutTask(handle: TaskHandler): ClaudeHandler {
  return (state, payload, context) => {
    const id = idOf(payload, "task_id");
    return id === undefined
      ? strayFrame(state, "The CLI told of a task without naming it.")
      : handle(state, id, payload, context);
  };
}

/** `task_started`. */
export const taskStarted: ClaudeHandler = aboutTask((state, id, payload, context) => {
  if (lookup(state.tasks, id) !== undefined) return silent(state);
  const call = idOf(payload, "tool_use_id") ?? null;
  const implied = call === null ? undefined : taskOfCall(state, call);
  if (implied !== undefined) return silent(renamed(state, implied, id));
  const isAgent =
    text(payload, "task_type") === "local_agent" || text(payload, "subagent_type") !== undefined;
  const background = flag(payload, "is_backgrounded") !== false;
  return openTask(
    state,
    id,
    {
      kind: isAgent ? "agent" : "background",
      call,
      title: text(payload, "description")?.slice(0, 500) ?? null,
      background,
      told: isAgent || background,
    },
    context,
  );
});

/** The CLI names a task that was known by what came from inside it. */
function renamed(state: ClaudeState, [old, task]: readonly [string, ClaudeTask], id: string): ClaudeState {
  const tasks = state.tasks.map((entry) => (entry[0] === old ? ([id, task] as const) : entry));
  return { ...state, tasks };
}

/** `task_progress`: what a subagent does now. */
export const taskProgressed: ClaudeHandler = aboutTask((state, id, payload) => {
  const task = lookup(state.tasks, id);
  const summary = text(payload, "description");
  if (task === undefined || !task.told || summary === undefined) return silent(state);
  return says(state, { type: "task.updated", taskId: task.taskId, summary });
});

/**
 * `task_updated`: a change of how the CLI counts it. What it came to is told by its notification, which
 * follows.
 */
export const taskUpdated: ClaudeHandler = aboutTask((state, id, payload) => {
  const patch = field(payload, "patch");
  const task = lookup(state.tasks, id);
  if (task === undefined) return silent(state);
  const over = task.over || outcomeOf(text(patch, "status")) !== undefined;
  const counted = over === task.over ? state : withTask(state, id, { ...task, over });
  return flag(patch, "is_backgrounded") === true ? moveToBackground(counted, id) : silent(counted);
});

/**
 * `task_notification`: what it came to. What is not known to be a command may only be pausing and tell of
 * its end again, so unless the CLI counts it as over, its end waits for a sign of that.
 */
export const taskNotified: ClaudeHandler = aboutTask((from, id, payload, context) => {
  const outcome = outcomeOf(text(payload, "status")) ?? "completed";
  const summary = text(payload, "summary");
  const task = lookup(from.tasks, id);
  if (task === undefined) return unknownTask(from, id, outcome, summary, payload, context);
  const state = task.runId === null && outcome !== "cancelled" ? notified(from) : from;
  const command = task.kind === "background" && text(payload, "output_file") !== undefined;
  if (task.over || command || !task.told) return endTask(state, id, outcome, summary);
  const noted = withTask(state, id, { ...task, outcome });
  return summary === undefined
    ? silent(noted)
    : says(noted, { type: "task.updated", taskId: task.taskId, summary });
});

/** Work of an earlier process that ends in this one. Without a summary there is nothing to tell. */
function unknownTask(
  state: ClaudeState,
  id: string,
  outcome: "completed" | "failed" | "cancelled",
  summary: string | undefined,
  payload: unknown,
  context: AdapterContext,
): ClaudeStep {
  if (context.wasEnded("task", id)) return silent(state);
  if (summary === undefined) return strayFrame(state, "The CLI told the end of a task that is not known.");
  const call = idOf(payload, "tool_use_id") ?? null;
  const opening = { kind: "background", call, title: null, background: true, told: true } as const;
  return andThen(openTask(notified(state), id, opening, context), (open) =>
    endTask(open, id, outcome, summary),
  );
}

/** The end of background work may get a run of its own, or come up in the one that is open. */
function notified(state: ClaudeState): ClaudeState {
  const counted = { ...state, notified: state.notified + 1 };
  return counted.run === null || counted.run.worked ? counted : amendRun(counted, { notified: true });
}

function outcomeOf(status: string | undefined): Exclude<TaskOutcome, "abandoned"> | undefined {
  switch (status) {
    case "completed":
    case "failed":
      return status;
    case "killed":
    case "stopped":
      return "cancelled";
    default:
      return undefined;
  }
}
