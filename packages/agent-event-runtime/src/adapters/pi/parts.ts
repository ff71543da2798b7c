import { assign, lookup } from "../../base/keyed-list.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { PiMessage, PiState } from "./pi-state.ts";
import { type PiStep, inRun, says, silent, strayFrame } from "./step.ts";

/** The id of the part at that place of the message's content. */
export function partId(message: PiMessage, index: number): string {
  return `p${message.frame}.${index}`;
}

/** Opens a message; one that is still open is over without an end of its own. */
export function openMessage(
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
  return says({ ...state, message: { messageId, frame: context.frame, role, parts: [] } }, ...unended, {
    type: "message.started",
    messageId,
    role,
    ...about,
    ...inRun(state),
  });
}

/** Text to append to a part of the open message. */
export function appendPart(
  state: PiState,
  index: number,
  kind: "text" | "reasoning",
  delta: string | undefined,
): PiStep {
  const { message } = state;
  if (message === null || delta === undefined || delta === "") return silent(state);
  const part = lookup(message.parts, String(index));
  if (part !== undefined && (part.ended || part.kind !== kind)) {
    return strayFrame(state, "Pi added to a part of a message that was over.");
  }
  const next = part === undefined ? open(state, message, index, kind, false) : state;
  const { messageId } = message;
  return says(next, { type: "message.delta", messageId, partId: partId(message, index), kind, text: delta });
}

/** The whole text of a part. An empty one that never opened is nothing. */
export function endPart(
  state: PiState,
  index: number,
  kind: "text" | "reasoning",
  whole: string | undefined,
): PiStep {
  const { message } = state;
  if (message === null || whole === undefined) return silent(state);
  const part = lookup(message.parts, String(index));
  if (part === undefined ? whole === "" : part.ended || part.kind !== kind) return silent(state);
  const { messageId } = message;
  return says(open(state, message, index, kind, true), {
    type: "part.ended",
    messageId,
    partId: partId(message, index),
    kind,
    text: whole,
  });
}

function open(
  state: PiState,
  message: PiMessage,
  index: number,
  kind: "text" | "reasoning",
  ended: boolean,
): PiState {
  const parts = assign(message.parts, String(index), { kind, ended, callId: null });
  return { ...state, message: { ...message, parts } };
}
