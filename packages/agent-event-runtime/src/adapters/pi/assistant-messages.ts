import { assign, lookup } from "../../base/keyed-list.ts";
import { field, list, text } from "../../base/read.ts";
import type { MessageOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { addUsage, costOf, errorOf, modelOf, shortId, usageOf } from "./frames.ts";
import { endPart, openMessage } from "./parts.ts";
import type { PiState } from "./pi-state.ts";
import { ensureRun } from "./runs.ts";
import { type PiStep, andThen, each, says, silent } from "./step.ts";
import { startTool, tellInput } from "./tools.ts";

/** Opens an assistant message, unless one is open. */
export function ensureAssistant(state: PiState, context: AdapterContext): PiStep {
  return state.message?.role === "assistant" ? silent(state) : startAssistant(state, context);
}

/** An assistant message opens, within a run. */
export function startAssistant(state: PiState, context: AdapterContext): PiStep {
  return andThen(ensureRun(state, context), (running) => openMessage(running, context, "assistant"));
}

/** The assistant message is over: what it holds is the last word on its parts, its cost and its outcome. */
export function endAssistant(state: PiState, message: unknown, context: AdapterContext): PiStep {
  const told = each(
    ensureAssistant(state, context),
    [...list(message, "content").entries()],
    (open, [index, part]) => wholePart(open, index, part),
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
      return announceCall(state, index, {
        id: text(part, "id"),
        name: text(part, "name"),
        args: field(part, "arguments"),
      });
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
  return says(
    { ...accounted(state, message), message: null },
    {
      type: "message.ended",
      messageId: state.message.messageId,
      outcome,
      ...(model === undefined ? undefined : { model }),
      ...(usage === undefined ? undefined : { usage }),
      ...(outcome === "failed" && errorMessage !== undefined ? { error: errorOf(errorMessage) } : undefined),
    },
  );
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
      usage: addUsage(run.usage, usage),
      costUsd: cost === undefined ? run.costUsd : (run.costUsd ?? 0) + cost,
    },
  };
}

function outcomeOf(stopReason: string | undefined): MessageOutcome {
  if (stopReason === "error") return "failed";
  return stopReason === "aborted" ? "cancelled" : "completed";
}
