import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, flag, list, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { endAsks } from "./asks.ts";
import type { ClaudeState, ClaudeTask } from "./claude-state.ts";
import { agentKey, idOf, idsOf } from "./frames.ts";
import { isNamed } from "./inputs.ts";
import { closeMessage, forgetMessage } from "./messages.ts";
import { type Place, at, freshId, insideTask, mainPlace } from "./place.ts";
import { type ClaudeStep, andThen, each, says, silent } from "./step.ts";
import { endTools } from "./tools.ts";

/** Does it in the agent that the frame is of. One that nothing told of yet is a task from here on. */
export function inAgent(
  state: ClaudeState,
  payload: unknown,
  context: AdapterContext,
  next: (state: ClaudeState, place: Place) => ClaudeStep,
): ClaudeStep {
  const call = agentKey(payload);
  if (call === "")
    return next(state, isAfterthought(state, payload) ? { key: "", late: true } : mainPlace(state));
  const known = taskOfCall(state, call);
  if (known !== undefined) return next(state, insideTask(call, known[1]));
  const id = idOf(payload, "agent_id") ?? call;
  if (context.wasEnded("task", id)) return next(state, { key: call, agent: [id], late: true });
  const title = text(payload, "task_description") ?? null;
  const opened = openTask(state, id, { kind: "agent", call, title, background: false, told: true }, context);
  return andThen(opened, (open) => {
    const task = lookup(open.tasks, id);
    return task === undefined ? silent(open) : next(open, insideTask(call, task));
  });
}

/**
 * The main agent speaks although nothing is open that it could speak about: a run began, and none is
 * expected to.
 */
function isAfterthought(state: ClaudeState, payload: unknown): boolean {
  if (state.run !== null || !state.begun) return false;
  const uuids = idsOf(payload, "user_message_uuids");
  return !state.inputs.some((input) => !isNamed(state, input) || uuids.includes(input.uuid ?? ""));
}

/** The task that the call of that id started, with the vendor's id for it. */
export function taskOfCall(state: ClaudeState, call: string): readonly [string, ClaudeTask] | undefined {
  return state.tasks.find(([, task]) => task.call === call);
}

/** What a frame says of a task that it opens. */
export interface TaskOpening {
  readonly kind: ClaudeTask["kind"];
  readonly call: string | null;
  readonly title: string | null;
  readonly background: boolean;
  readonly told: boolean;
}

/** Remembers a task, and tells of it unless it is a command that the run waits for. */
export function openTask(
  state: ClaudeState,
  id: string,
  { kind, call, title, background, told }: TaskOpening,
  context: AdapterContext,
): ClaudeStep {
  const tool = call === null ? undefined : lookup(state.tools, call);
  const taskId = freshId(context, "task", id);
  const task: ClaudeTask = {
    taskId,
    kind,
    call,
    title,
    agent: [taskId, ...(tool?.agent ?? [])],
    runId: background ? null : (tool?.runId ?? state.run?.runId ?? null),
    told,
    outcome: null,
    over: false,
  };
  return told ? tellTask(state, id, task) : silent(withTask(state, id, task));
}

/** Tells of a task. What is in the background goes on when its run ends. */
function tellTask(state: ClaudeState, id: string, task: ClaudeTask): ClaudeStep {
  const { taskId, kind, call, title, agent, runId } = task;
  const tool = call === null ? undefined : lookup(state.tools, call);
  return says(withTask(state, id, { ...task, told: true }), {
    type: "task.started",
    taskId,
    kind,
    ...(call === null ? undefined : { callId: tool?.callId ?? call }),
    ...(title === null ? undefined : { title }),
    ...at({ runId, agent: agent.slice(1) }),
  });
}

/** Ends a task, and first what is still open in it. */
export function endTask(
  state: ClaudeState,
  id: string,
  outcome: "completed" | "failed" | "cancelled" | "abandoned",
  summary?: string,
): ClaudeStep {
  const task = lookup(state.tasks, id);
  if (task === undefined) return silent(state);
  const { taskId, call } = task;
  const rest = { ...state, tasks: omit(state.tasks, id) };
  if (!task.told) return silent(rest);
  const within = (agent: readonly string[]): boolean => agent.includes(taskId);
  const inner = rest.tasks.filter(([, other]) => within(other.agent)).map(([other]) => other);
  const left = outcome === "cancelled" ? "cancelled" : "abandoned";
  const steps: readonly ((from: ClaudeState) => ClaudeStep)[] = [
    (from) => each(silent(from), inner, (open, other) => endTask(open, other, outcome)),
    (from) => endAsks(from, (ask) => within(ask.agent), { outcome: "cancelled", by: "harness" }),
    (from) => endTools(from, (tool) => within(tool.agent), left),
    (from) =>
      call === null ? silent(from) : forgetMessage(closeMessage(from, call, endOfMessage(outcome)), call),
  ];
  return andThen(
    steps.reduce((step, next) => andThen(step, next), silent(rest)),
    (from) =>
      says(from, {
        type: "task.ended",
        taskId,
        outcome,
        ...(summary === undefined || summary === "" ? undefined : { summary }),
      }),
  );
}

function endOfMessage(
  outcome: "completed" | "failed" | "cancelled" | "abandoned",
): "completed" | "cancelled" | "abandoned" {
  return outcome === "completed" || outcome === "cancelled" ? outcome : "abandoned";
}

/** A call is answered: a subagent that the run waited for is over. */
export function endTaskOfCall(
  state: ClaudeState,
  call: string,
  outcome: "completed" | "failed" | "cancelled",
): ClaudeStep {
  const found = taskOfCall(state, call);
  if (found === undefined || found[1].runId === null) return silent(state);
  return endTask(state, found[0], found[1].outcome ?? outcome);
}

/** Ends tasks whose end was said before and is certain now. */
export function settleTasks(state: ClaudeState): ClaudeStep {
  const settled = state.tasks.filter(([, task]) => task.outcome !== null);
  return each(silent(state), settled, (open, [id, task]) => endTask(open, id, task.outcome ?? "abandoned"));
}

/** Moves a task to the background: no run waits for it any more. */
export function moveToBackground(state: ClaudeState, id: string): ClaudeStep {
  const task = lookup(state.tasks, id);
  if (task === undefined || (task.runId === null && task.told)) return silent(state);
  const moved = { ...task, runId: null };
  return task.told ? silent(withTask(state, id, moved)) : tellTask(state, id, moved);
}

/** `background_tasks_changed`: the whole set of what runs in the background. */
export function backgroundChanged(state: ClaudeState, payload: unknown): ClaudeStep {
  const running = new Set(list(payload, "tasks").flatMap((task) => idOf(task, "task_id") ?? []));
  const moved = state.tasks.filter(([id]) => running.has(id)).map(([id]) => id);
  const gone = state.tasks.filter(([id, task]) => !running.has(id) && task.told && task.runId === null);
  return andThen(each(silent(state), moved, moveToBackground), (open) =>
    each(silent(open), gone, (left, [id, task]) => endTask(left, id, task.outcome ?? "abandoned")),
  );
}

/** Whether the answer to a call says that what it started goes on in the background. */
export function goesOn(structured: unknown): boolean {
  return (
    flag(structured, "isAsync") === true ||
    text(structured, "status") === "async_launched" ||
    field(structured, "backgroundTaskId") !== undefined
  );
}

/** The state with that task changed. */
export function withTask(state: ClaudeState, id: string, task: ClaudeTask): ClaudeState {
  return { ...state, tasks: assign(state.tasks, id, task) };
}
