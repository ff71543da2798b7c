import { assign, lookup } from "../../base/keyed-list.ts";
import { field, flag, list, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { MessageOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { addCounts, contentText, costOf, errorOf, images, modelOf, shortId, usageOf } from "./frames.ts";
import { endPassedOver, joinInput } from "./inputs.ts";
import { endPart, partId } from "./parts.ts";
import type { PiMessage, PiState } from "./pi-state.ts";
import { ensureRun } from "./runs.ts";
import { type PiHandler, type PiStep, each, inRun, says, silent, strayFrame, andThen, unknownFrame } from "./step.ts";
import { startTool, tellInput, toolResult } from "./tools.ts";

/** Roles whose messages speak of nothing that other events do not tell. */
const SILENT_ROLES: ReadonlySet<string> = new Set([
  "system", // instructions and tool definitions
  "bashExecution", // the answer to the bash command told it
  "branchSummary", // of the session tree, which has no view
  "compactionSummary", // compaction_end told it
]);

/** `message_start`. */
export const messageStarted: PiHandler = (state, payload, context) => {
  const message = field(payload, "message");
  const role = text(message, "role");
  switch (role) {
    case "user":
      return startUser(state, message, context);
    case "assistant":
      return startAssistant(state, context);
    case "toolResult":
    case "custom":
      return silent(state);
    default:
      return otherRole(state, role);
  }
};

/** `message_end`: pi now writes the message to its session file, which is what `seen` counts. */
export const messageEnded: PiHandler = (state, payload, context) => {
  const message = field(payload, "message");
  const role = text(message, "role");
  switch (role) {
    case "user":
      return counted(endUser(state, message, context));
    case "assistant":
      return counted(endAssistant(state, message, context));
    case "toolResult":
      return counted(toolResult(state, message));
    case "custom":
      return notice(state, message);
    default:
      return otherRole(state, role);
  }
};

/** Opens an assistant message, unless one is open. */
export function ensureAssistant(state: PiState, context: AdapterContext): PiStep {
  return state.message?.role === "assistant" ? silent(state) : startAssistant(state, context);
}

function startAssistant(state: PiState, context: AdapterContext): PiStep {
  return andThen(ensureRun(state, context), (running) => openMessage(running, context, "assistant"));
}

function startUser(state: PiState, message: unknown, context: AdapterContext): PiStep {
  return andThen(ensureRun(state, context), (running) => {
    const anyWaiting = running.inputs.some((input) => !input.joined);
    const echo = joinInput(running, contentText(message));
    const { inputId } = echo;
    const passed = endPassedOver(echo.state, running, inputId);
    const about = inputId !== undefined ? { inputId } : anyWaiting ? {} : { synthetic: true as const };
    const runId = running.run?.runId ?? "";
    const joined: readonly EventDraft[] = inputId === undefined ? [] : [{ type: "input.joined", inputId, runId }];
    const opened = andThen(passed, (rest) => openMessage(rest, context, "user", about));
    return andThen(says(opened.state, ...opened.events, ...joined), (open) => userParts(open, message));
  });
}

function userParts(state: PiState, message: unknown): PiStep {
  const open = state.message;
  if (open === null) return silent(state);
  const said = contentText(message);
  const { messageId } = open;
  const added = images(list(message, "content")).map(
    ({ mediaType, data }, index): EventDraft => ({
      type: "part.added",
      messageId,
      partId: partId(open, index + 1),
      kind: "image",
      mediaType,
      data,
    }),
  );
  if (said === "") return says(state, ...added);
  return says(state, { type: "part.ended", messageId, partId: partId(open, 0), kind: "text", text: said }, ...added);
}

function openMessage(
  state: PiState,
  context: AdapterContext,
  role: PiMessage["role"],
  about: { readonly inputId?: string; readonly synthetic?: true } = {},
): PiStep {
  const messageId = `m${context.frame}`;
  const unended: readonly EventDraft[] =
    state.message === null
      ? []
      : [{ type: "message.ended", messageId: state.message.messageId, outcome: "abandoned" }];
  return says(
    { ...state, message: { messageId, frame: context.frame, role, parts: [] } },
    ...unended,
    { type: "message.started", messageId, role, ...about, ...inRun(state) },
  );
}

function endUser(state: PiState, message: unknown, context: AdapterContext): PiStep {
  return andThen(state.message?.role === "user" ? silent(state) : startUser(state, message, context), (open) =>
    open.message === null
      ? silent(open)
      : says({ ...open, message: null }, {
          type: "message.ended",
          messageId: open.message.messageId,
          outcome: "completed",
        }),
  );
}

function endAssistant(state: PiState, message: unknown, context: AdapterContext): PiStep {
  const told = each(ensureAssistant(state, context), [...list(message, "content").entries()], (open, [index, part]) =>
    wholePart(open, index, part),
  );
  return andThen(told, (open) => closeAssistant(open, message));
}

/** What the message holds of a part: the last word for a text, and for a tool call whose announcement is missing. */
function wholePart(state: PiState, index: number, part: unknown): PiStep {
  switch (text(part, "type")) {
    case "text":
      return endPart(state, index, "text", text(part, "text"));
    case "thinking":
      return endPart(state, index, "reasoning", text(part, "thinking"));
    case "toolCall":
      return announceCall(state, index, { id: text(part, "id"), name: text(part, "name"), args: field(part, "arguments") });
    default:
      return silent(state);
  }
}

/** Opens the tool call at this place of the open message, or tells the input of the one that is there. */
export function announceCall(
  state: PiState,
  index: number,
  call: { readonly id: string | undefined; readonly name: string | undefined; readonly args?: unknown },
): PiStep {
  const open = state.message;
  if (open === null || call.id === undefined) return silent(state);
  const vendorId = shortId(call.id);
  const part = lookup(open.parts, String(index));
  if (part !== undefined) return part.callId === null ? silent(state) : tellInput(state, vendorId, call.args);
  const plain = `${open.messageId}/${vendorId}`;
  const taken = open.parts.some(([, other]) => other.callId === plain);
  const callId = taken ? `${open.messageId}.${index}/${vendorId}` : plain;
  const parts = assign(open.parts, String(index), { kind: "tool", ended: false, callId });
  const { messageId } = open;
  return startTool({ ...state, message: { ...open, parts } }, vendorId, {
    callId,
    messageId,
    name: call.name ?? "unknown",
    args: call.args,
  });
}

function closeAssistant(state: PiState, message: unknown): PiStep {
  if (state.message === null) return silent(state);
  const usage = usageOf(message);
  const model = modelOf(message, "model");
  const errorMessage = text(message, "errorMessage");
  const outcome = outcomeOf(text(message, "stopReason"));
  return says({ ...accounted(state, message), message: null }, {
    type: "message.ended",
    messageId: state.message.messageId,
    outcome,
    ...(model === undefined ? undefined : { model }),
    ...(usage === undefined ? undefined : { usage }),
    ...(outcome === "failed" && errorMessage !== undefined ? { error: errorOf(errorMessage) } : undefined),
  });
}

/** The run takes over what this message says of the outcome and the costs. */
function accounted(state: PiState, message: unknown): PiState {
  const { run } = state;
  if (run === null) return state;
  const usage = usageOf(message);
  const cost = usage === undefined ? undefined : costOf(message);
  const errorMessage = text(message, "errorMessage");
  return {
    ...state,
    run: {
      ...run,
      stopReason: text(message, "stopReason")?.slice(0, 100) ?? null,
      errorMessage: errorMessage === undefined ? null : errorOf(errorMessage).message,
      usage: addCounts(run.usage, usage),
      costUsd: cost === undefined ? run.costUsd : (run.costUsd ?? 0) + cost,
    },
  };
}

function outcomeOf(stopReason: string | undefined): MessageOutcome {
  if (stopReason === "error") return "failed";
  return stopReason === "aborted" ? "cancelled" : "completed";
}

function counted(step: PiStep): PiStep {
  return { ...step, state: { ...step.state, seen: step.state.seen + 1 } };
}

function notice(state: PiState, message: unknown): PiStep {
  const said = contentText(message, "\n");
  return flag(message, "display") === true && said !== ""
    ? says(state, { type: "notice.added", level: "info", text: said, ...inRun(state) })
    : silent(state);
}

function otherRole(state: PiState, role: string | undefined): PiStep {
  if (role === undefined) return strayFrame(state, "A message of pi has no role.");
  return SILENT_ROLES.has(role) ? silent(state) : unknownFrame(state, `messages of role "${role}"`);
}
