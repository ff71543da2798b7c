import { toJson } from "../../base/json.ts";
import { field, flag, number, text } from "../../base/read.ts";
import type { MessageOutcome, RunOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState } from "./claude-state.ts";
import { lookup } from "../../base/keyed-list.ts";
import { settleCompaction } from "./compaction.ts";
import { idOf, idsOf } from "./frames.ts";
import { afterRun, endInput, isNamed, joinNamed, joinWaiting } from "./inputs.ts";
import { missFates } from "./lifecycle.ts";
import { closeMessage } from "./messages.ts";
import { at, mainPlace } from "./place.ts";
import { openRun, started } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, each, says, silent, strayFrame } from "./step.ts";
import { endTask } from "./tasks.ts";
import { endTools } from "./tools.ts";
import { spentAfter, verdictOf } from "./verdict.ts";

/** `result`: the CLI pronounces on a turn of its own, which need not be the one that is open. */
export const pronounced: ClaudeHandler = (state, payload, context) => {
  const mark = idOf(payload, "uuid") ?? null;
  if (state.run === null && mark !== null && mark === state.lastResult) {
    return strayFrame(state, "The CLI repeated a result.");
  }
  const seen = { ...state, lastResult: mark };
  if (isAside(state, payload)) return tellAside(seen, payload, context);
  const uuids = idsOf(payload, "user_message_uuids");
  const ready = state.run === null ? openLate(seen, payload, uuids, context) : missFates(seen);
  if (ready.state.run === null) return ready;
  const named = andThen(ready, (open) => joinNamed(open, uuids));
  return andThen(named, (open) => endRun(open, payload, context));
};

/** The turn of background work that has ended. */
function isOfTask(payload: unknown): boolean {
  return text(field(payload, "origin"), "kind") === "task-notification";
}

/**
 * Whether the result is of background work, beside the run that is open. Without saying so, such a one
 * comes first and is empty.
 */
function isAside(state: ClaudeState, payload: unknown): boolean {
  const { run } = state;
  if (run === null || run.origin === "harness") return false;
  if (isOfTask(payload)) return state.inputs.some((input) => input.joined);
  return (
    run.notified &&
    !run.worked &&
    isCommand(payload) &&
    text(payload, "result") === "" &&
    text(payload, "local_command") === undefined &&
    field(payload, "user_message_uuids") === undefined
  );
}

function tellAside(state: ClaudeState, payload: unknown, context: AdapterContext): ClaudeStep {
  const runId = `r${context.frame}`;
  const run = { runId, origin: "harness", interrupted: false, worked: false, notified: false } as const;
  return says(
    { ...state, spent: spentAfter(state, payload), notified: Math.max(0, state.notified - 1) },
    started(runId, "harness"),
    verdictOf(state, run, payload),
  );
}

/** A result without a run: the first word of one that failed to begin, or of none. */
function openLate(
  state: ClaudeState,
  payload: unknown,
  uuids: readonly string[],
  context: AdapterContext,
): ClaudeStep {
  if (isOfTask(payload)) return openRun(state, context, "harness");
  const expected = state.inputs.some((input) =>
    input.uuid !== null && uuids.includes(input.uuid) ? true : !isNamed(state, input),
  );
  if (expected) return openRun(state, context, "user");
  const unasked = { ...state, spent: spentAfter(state, payload) };
  return says(unasked, {
    type: "diagnostic",
    code: "claude.stray-result",
    severity: "info",
    message: "The CLI pronounced on a turn that is not open; nothing was changed.",
  });
}

/** Ends what the run leaves open, then the run. */
export function endRun(state: ClaudeState, payload: unknown, context: AdapterContext): ClaudeStep {
  const { run } = state;
  if (run === null) return silent(state);
  const { runId } = run;
  const verdict = verdictOf(state, run, payload);
  const { outcome } = verdict;
  const left = outcome === "cancelled" ? "cancelled" : "abandoned";
  const tasks = state.tasks.filter(([, task]) => task.runId === runId || !task.told);
  const steps: readonly ((from: ClaudeState) => ClaudeStep)[] = [
    (from) => (run.origin === "harness" && !isOfTask(payload) ? joinWaiting(from) : silent(from)),
    (from) => each(silent(from), tasks, (open, [id, task]) => endTask(open, id, task.outcome ?? left)),
    (from) => endTools(from, (tool) => tool.runId === runId, left),
    (from) => closeMessage(from, "", endOfMessage(from, outcome)),
    (from) => tellStructured(from, payload, context),
    settleCompaction,
    (from) => (isCommand(payload) ? endHandled(from) : silent(from)),
    (from) => says(over(from, runId, payload), verdict),
  ];
  return steps.reduce((step, next) => andThen(step, next), silent(state));
}

/** An answer that had to fit a schema: the model gave it as the input of a call, and it is the last word. */
function tellStructured(state: ClaudeState, payload: unknown, context: AdapterContext): ClaudeStep {
  const answer = toJson(field(payload, "structured_output"));
  if (answer === undefined) return silent(state);
  const messageId = `m${context.frame}`;
  const partId = `${messageId}/0`;
  return says(
    state,
    { type: "message.started", messageId, role: "assistant", ...at(mainPlace(state)) },
    { type: "part.ended", messageId, partId, kind: "text", text: JSON.stringify(answer) },
    { type: "message.ended", messageId, outcome: "completed" },
  );
}

function over(state: ClaudeState, runId: string, payload: unknown): ClaudeState {
  const ofTask = state.run?.origin === "harness";
  return {
    ...state,
    run: null,
    messages: state.messages.filter(([key]) => key !== ""),
    asks: state.asks.filter(([, ask]) => ask.runId !== runId),
    inputs: afterRun(state),
    spent: spentAfter(state, payload),
    notified: ofTask ? Math.max(0, state.notified - 1) : state.notified,
  };
}

/** A message that stopped streaming, or came whole, is as complete as it will be. */
function endOfMessage(state: ClaudeState, outcome: RunOutcome): MessageOutcome {
  const message = lookup(state.messages, "");
  if (outcome === "completed" || message?.streamed === false) return "completed";
  return outcome === "cancelled" ? "cancelled" : "abandoned";
}

/** A command of the CLI's own, a blank prompt, or context that asks for no answer: no model was called. */
function isCommand(payload: unknown): boolean {
  return (
    text(payload, "subtype") === "success" &&
    flag(payload, "is_error") !== true &&
    text(payload, "terminal_reason") === undefined &&
    number(payload, "num_turns") === 0
  );
}

function endHandled(state: ClaudeState): ClaudeStep {
  const joined = state.inputs.filter((input) => input.joined);
  return each(silent(state), joined, (open, input) => endInput(open, input, "handled"));
}
