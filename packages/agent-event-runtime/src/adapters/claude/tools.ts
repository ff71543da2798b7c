import { type Json, toJson } from "../../base/json.ts";
import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { text } from "../../base/read.ts";
import type { EventDraft, ToolEnded } from "../../event/agent-runtime-event.ts";
import type { ToolOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { endAsks } from "./asks.ts";
import type { ClaudeState, ClaudeTool } from "./claude-state.ts";
import { type Place, at } from "./place.ts";
import { type ClaudeStep, andThen, each, says, silent } from "./step.ts";
import { plannedTodos } from "./todos.ts";
import { describeCall, pathOf, toolKind } from "./tool-names.ts";

/** A tool call as a frame tells of it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  /** The whole input; absent while the model still writes it. */
  readonly input?: unknown;
  readonly messageId?: string;
}

/** The first word of a call opens it; a later one completes it, or repeats what is known. */
export function tellCall(state: ClaudeState, call: Call, place: Place, context: AdapterContext): ClaudeStep {
  if (lookup(state.tools, call.id) !== undefined) return tellInput(state, call.id, call.input);
  if (context.isOpen("tool", call.id) || context.wasEnded("tool", call.id)) return silent(state);
  const { id, name, messageId } = call;
  const input = toJson(call.input);
  const tool: ClaudeTool = {
    callId: id,
    name,
    agent: place.agent ?? [],
    runId: place.runId ?? null,
    path: pathOf(call.input) ?? null,
    whole: input !== undefined,
    partial: input === undefined ? "" : null,
    denied: false,
    plan: null,
    todos: plannedTodos(name, call.input),
  };
  const opened = says(
    { ...state, tools: assign(state.tools, id, tool) },
    {
      type: "tool.started",
      callId: id,
      ...(messageId === undefined ? undefined : { messageId }),
      name,
      kind: toolKind(name),
      ...(input === undefined ? undefined : { input, ...describeCall(call.input) }),
      ...at(place),
    },
  );
  return andThen(opened, (open) => tellPlan(open, id, call.input));
}

/** The whole input of a call that is open; silent when it was told. */
function tellInput(state: ClaudeState, id: string, given: unknown): ClaudeStep {
  const tool = lookup(state.tools, id);
  const input = toJson(given);
  if (tool === undefined || input === undefined || tool.whole) return silent(state);
  const todos = plannedTodos(tool.name, given);
  const whole = { ...tool, whole: true, partial: null, path: pathOf(given) ?? tool.path, todos };
  const told = says(withTool(state, id, whole), {
    type: "tool.updated",
    callId: tool.callId,
    input,
    ...describeCall(given),
  });
  return andThen(told, (open) => tellPlan(open, id, given));
}

/** The plan that a call asks to leave plan mode with, when it is new. */
export function tellPlan(state: ClaudeState, id: string, input: unknown): ClaudeStep {
  const tool = lookup(state.tools, id);
  const plan = tool?.name === "ExitPlanMode" ? text(input, "plan") : undefined;
  if (tool === undefined || plan === undefined || plan === "") return silent(state);
  const mark = fingerprint(plan);
  if (mark === tool.plan) return silent(state);
  return says(withTool(state, id, { ...tool, plan: mark }), {
    type: "plan.updated",
    text: plan,
    ...at(tool),
  });
}

/** Longer inputs are told when they are whole: what is kept here is written down with every step. */
const MAX_PARTIAL = 16_384;

/** A piece of the input as the model writes it. */
export function growInput(state: ClaudeState, id: string, delta: string): ClaudeStep {
  const tool = lookup(state.tools, id);
  if (tool === undefined || tool.whole || delta === "") return silent(state);
  const event: EventDraft = { type: "tool.input.delta", callId: tool.callId, text: delta };
  if (tool.partial === null) return says(state, event);
  const partial = tool.partial + delta;
  return says(
    withTool(state, id, { ...tool, partial: partial.length > MAX_PARTIAL ? null : partial }),
    event,
  );
}

/** The model has written the input: what came in pieces is told, unless the CLI has told it whole. */
export function settleInput(state: ClaudeState, id: string): ClaudeStep {
  const tool = lookup(state.tools, id);
  if (tool === undefined || tool.whole || tool.partial === null) return silent(state);
  return tellInput(state, id, parsed(tool.partial === "" ? "{}" : tool.partial));
}

// What a model writes need not be JSON.
function parsed(said: string): Json | undefined {
  try {
    return toJson(JSON.parse(said));
  } catch {
    return undefined;
  }
}

/** What came of a call. */
export type CallEnd = Pick<ToolEnded, "outcome" | "output" | "exitCode" | "durationMs">;

/** Ends an open call, and what still asks about it. `news`: what it brought about, told before its end. */
export function endTool(
  state: ClaudeState,
  id: string,
  end: CallEnd,
  ...news: readonly EventDraft[]
): ClaudeStep {
  const tool = lookup(state.tools, id);
  if (tool === undefined) return silent(state);
  const unasked = endAsks(state, (ask) => ask.tool === id, { outcome: "cancelled", by: "harness" });
  return andThen(unasked, (open) =>
    says({ ...open, tools: omit(open.tools, id) }, ...news, {
      type: "tool.ended",
      callId: tool.callId,
      ...end,
    }),
  );
}

/** Ends the open calls that the test picks, since nothing will come of them. */
export function endTools(
  state: ClaudeState,
  over: (tool: ClaudeTool, id: string) => boolean,
  outcome: ToolOutcome,
): ClaudeStep {
  const ended = state.tools.filter(([id, tool]) => over(tool, id));
  return each(silent(state), ended, (open, [id]) => endTool(open, id, { outcome }));
}

/** The state with that call changed. */
export function withTool(state: ClaudeState, id: string, tool: ClaudeTool): ClaudeState {
  return { ...state, tools: assign(state.tools, id, tool) };
}
