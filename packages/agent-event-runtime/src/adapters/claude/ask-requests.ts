import { toJson } from "../../base/json.ts";
import { assign, lookup } from "../../base/keyed-list.ts";
import { field, flag, list, text } from "../../base/read.ts";
import type { PermissionRequested, QuestionRequested } from "../../event/agent-runtime-event.ts";
import type { Question } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { endAsks, requestKey } from "./asks.ts";
import type { ClaudeAsk, ClaudeState } from "./claude-state.ts";
import { type Asked, elicited } from "./form.ts";
import { idOf } from "./frames.ts";
import { permissionOptions } from "./permission-options.ts";
import { type Place, at, insideTask, mainPlace } from "./place.ts";
import {
  type ClaudeHandler,
  type ClaudeStep,
  andThen,
  says,
  silent,
  strayFrame,
  unknownFrame,
} from "./step.ts";
import { describeCall } from "./tool-names.ts";
import { tellCall, tellPlan } from "./tools.ts";

/**
 * `control_request`: the CLI asks the host for something, and waits. A request that is open is not asked
 * twice.
 */
export const requested: ClaudeHandler = (state, payload, context) => {
  const key = requestKey(payload);
  const request = field(payload, "request");
  const subtype = text(request, "subtype");
  if (key === undefined || subtype === undefined)
    return strayFrame(state, "A request of the CLI has no id, or asks nothing.");
  if (lookup(state.asks, key) !== undefined) return silent(state);
  switch (subtype) {
    case "can_use_tool":
      return toolAsked(state, key, payload, request, context);
    case "elicitation":
      return asked(state, key, payload, elicited(request), context);
    case "request_user_dialog":
      return asked(state, key, payload, dialog(request), context);
    case "hook_callback":
    case "mcp_message":
      return silent(withAsk(state, key, hostAsk(state)));
    default:
      return unknownFrame(withAsk(state, key, hostAsk(state)), `requests of subtype "${subtype}"`);
  }
};

/** Beyond this many, the oldest requests between CLI and host are forgotten. */
const MAX_ASKS = 64;

function withAsk(state: ClaudeState, key: string, ask: ClaudeAsk): ClaudeState {
  const oldest =
    state.asks.length < MAX_ASKS ? undefined : state.asks.find(([, known]) => known.kind === "host")?.[0];
  const asks = oldest === undefined ? state.asks : state.asks.filter(([known]) => known !== oldest);
  return { ...state, asks: assign(asks, key, ask) };
}

function hostAsk(state: ClaudeState): ClaudeAsk {
  return { kind: "host", requestId: "", tool: null, agent: [], runId: state.run?.runId ?? null, fields: [] };
}

/** A tool call asks whether it may run, or what the user says. It may be the first word of the call. */
function toolAsked(
  state: ClaudeState,
  key: string,
  payload: unknown,
  request: unknown,
  context: AdapterContext,
): ClaudeStep {
  const name = text(request, "tool_name") ?? "unknown";
  const input = field(request, "input") ?? {};
  const id = idOf(request, "tool_use_id");
  const place = placeOfAsk(state, request, id);
  const opened =
    id === undefined
      ? silent(state)
      : andThen(tellCall(state, { id, name, input }, place, context), (open) => tellPlan(open, id, input));
  const kind = name === "AskUserQuestion" ? "question" : "permission";
  const ask = askOf(kind, context, place, id ?? null);
  const told = kind === "question" ? questionEvent(input) : permissionEvent(name, input, request);
  const native = toJson({
    requestId: field(payload, "request_id"),
    toolUseId: id,
    ...answerable(kind, request),
  });
  return andThen(opened, (open) => {
    const tool = id === undefined ? undefined : lookup(open.tools, id);
    return says(withAsk(open, key, ask), {
      ...told,
      requestId: ask.requestId,
      ...(tool === undefined ? undefined : { callId: tool.callId }),
      native: native ?? null,
      ...at(place),
    });
  });
}

function askOf(
  kind: "permission" | "question",
  context: AdapterContext,
  place: Place,
  tool: string | null,
  fields: readonly string[] = [],
): ClaudeAsk {
  const { agent = [], runId = null } = place;
  return { kind, requestId: `q${context.frame}`, tool, agent, runId, fields };
}

function questionEvent(input: unknown): Pick<QuestionRequested, "type" | "questions"> {
  return { type: "question.requested", questions: questionsOf(input) };
}

function permissionEvent(
  name: string,
  input: unknown,
  request: unknown,
): Pick<PermissionRequested, "type" | "title" | "options"> {
  const what = text(request, "description") ?? describeCall(input).title;
  const title = [text(request, "display_name") ?? name, what].filter((said) => said !== undefined).join(": ");
  return { type: "permission.requested", title: title.slice(0, 300), options: permissionOptions(request) };
}

/** What an answer must repeat: the questions, or the suggestions that are taken. */
function answerable(kind: "permission" | "question", request: unknown): object {
  return kind === "question"
    ? { input: field(request, "input") }
    : { suggestions: list(request, "permission_suggestions") };
}

/** A request of a subagent names it; one of the main agent is in the open run. */
function placeOfAsk(state: ClaudeState, request: unknown, id: string | undefined): Place {
  const tool = id === undefined ? undefined : lookup(state.tools, id);
  if (tool !== undefined)
    return { key: "", agent: tool.agent, ...(tool.runId === null ? undefined : { runId: tool.runId }) };
  const agent = idOf(request, "agent_id");
  const task = agent === undefined ? undefined : lookup(state.tasks, agent);
  return task === undefined ? mainPlace(state) : insideTask(task.call ?? "", task);
}

function questionsOf(input: unknown): readonly Question[] {
  return list(input, "questions").map((question) => ({
    prompt: text(question, "question") ?? text(question, "header") ?? "",
    options: list(question, "options").map((option) => {
      const description = text(option, "description");
      return {
        label: text(option, "label") ?? "",
        ...(description === undefined ? undefined : { description }),
      };
    }),
    multiple: flag(question, "multiSelect") === true,
  }));
}

/** An MCP server, or the CLI itself, wants something of the user. */
function asked(
  state: ClaudeState,
  key: string,
  payload: unknown,
  { questions, fields }: Asked,
  context: AdapterContext,
): ClaudeStep {
  const place = mainPlace(state);
  const names = fields?.map(({ name }) => name);
  const ask = askOf("question", context, place, null, names);
  return says(withAsk(state, key, ask), {
    type: "question.requested",
    requestId: ask.requestId,
    questions,
    native:
      toJson({ requestId: field(payload, "request_id"), request: field(payload, "request"), fields }) ?? null,
    ...at(place),
  });
}

function dialog(request: unknown): Asked {
  const prompt = text(request, "message") ?? text(request, "title") ?? text(request, "prompt") ?? "";
  return { questions: [{ prompt, options: [], multiple: false }] };
}

/** `control_cancel_request`: the CLI does not want the answer any more. */
export const withdrawn: ClaudeHandler = (state, payload) => {
  const key = requestKey(payload);
  const ask = key === undefined ? undefined : lookup(state.asks, key);
  return endAsks(state, (known) => known === ask, { outcome: "cancelled", by: "harness" });
};
