import { lookup } from "../../base/keyed-list.ts";
import { field, list, number, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { announceCall, ensureAssistant } from "./assistant-messages.ts";
import { appendPart, endPart } from "./parts.ts";
import type { PiState } from "./pi-state.ts";
import { type PiHandler, type PiStep, says, silent, strayFrame, andThen, unknownFrame } from "./step.ts";

/** `message_update`: the assistant message under way grows. */
export const messageUpdated: PiHandler = (state, payload, context) => {
  const update = field(payload, "assistantMessageEvent");
  const type = text(update, "type");
  if (type === undefined) return strayFrame(state, "A message update of pi says nothing.");
  const index = number(update, "contentIndex") ?? 0;
  const open = (grow: (open: PiState) => PiStep): PiStep => grown(state, context, grow);
  switch (type) {
    case "text_delta":
      return open((at) => appendPart(at, index, "text", text(update, "delta")));
    case "text_end":
      return open((at) => endPart(at, index, "text", text(update, "content")));
    case "thinking_delta":
      return open((at) => appendPart(at, index, "reasoning", text(update, "delta")));
    case "thinking_end":
      return open((at) => endPart(at, index, "reasoning", text(update, "content")));
    case "toolcall_start":
      return open((at) => announceCall(at, index, announced(payload, update, index)));
    case "toolcall_delta":
      return open((at) => growCall(at, index, text(update, "delta")));
    case "toolcall_end":
      return open((at) => announceCall(at, index, ended(update)));
    // The part opens with its first text; the message's own start and end are told by their frames.
    case "text_start":
    case "thinking_start":
    case "start":
    case "done":
    case "error":
      return silent(state);
    default:
      return unknownFrame(state, `message updates of type "${type}"`);
  }
};

function grown(state: PiState, context: AdapterContext, grow: (open: PiState) => PiStep): PiStep {
  return andThen(ensureAssistant(state, context), grow);
}

interface Announced {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args?: unknown;
}

/** 1.x names the call; 0.73 shows it only in the message so far. */
function announced(payload: unknown, update: unknown, index: number): Announced {
  const id = text(update, "id");
  if (id !== undefined) return { id, name: text(update, "toolName") };
  const partial = field(update, "partial") ?? field(payload, "message");
  const part = list(partial, "content")[index];
  return { id: text(part, "id"), name: text(part, "name") };
}

function ended(update: unknown): Announced {
  const call = field(update, "toolCall");
  return { id: text(call, "id"), name: text(call, "name"), args: field(call, "arguments") };
}

function growCall(state: PiState, index: number, delta: string | undefined): PiStep {
  const callId = state.message === null ? undefined : lookup(state.message.parts, String(index))?.callId;
  if (callId === undefined || callId === null || delta === undefined || delta === "") return silent(state);
  const open = state.tools.some(([, tool]) => tool.callId === callId);
  return open ? says(state, { type: "tool.input.delta", callId, text: delta }) : silent(state);
}
