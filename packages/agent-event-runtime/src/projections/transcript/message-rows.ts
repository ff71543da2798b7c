import { assign, lookup, omit } from "../../base/keyed-list.ts";
import type { EventOf } from "../../event/agent-runtime-event.ts";
import { userMessage, userMessageEnded, userPart } from "./input-rows.ts";
import type { TextRow } from "./rows.ts";
import {
  type OpenMessage,
  type TranscriptState,
  type TranscriptStep,
  close,
  closeEach,
  frameOf,
  keep,
  openRow,
  quietly,
  wholeFrameOf,
  write,
} from "./transcript-state.ts";

/** A message opens: rows come with its parts, except that a user's message belongs to the row of its input. */
export function messageStarted(state: TranscriptState, event: EventOf<"message.started">): TranscriptStep {
  const { messageId, role, inputId } = event;
  const message: OpenMessage = { role, ...(inputId === undefined ? undefined : { inputId }) };
  const known = { ...state, messages: assign(state.messages, messageId, message) };
  return role === "user" ? userMessage(known, event) : quietly(known);
}

/** Text grows. */
export function messageDelta(state: TranscriptState, event: EventOf<"message.delta">): TranscriptStep {
  const message = lookup(state.messages, event.messageId);
  if (message?.role === "user") return quietly(state);
  const row = textRow(state, event, message);
  return quietly(keep(state, { ...row, text: row.text + event.text }));
}

/** A text is whole: what it says replaces what was there. */
export function partEnded(state: TranscriptState, event: EventOf<"part.ended">): TranscriptStep {
  const { messageId, text } = event;
  const message = lookup(state.messages, messageId);
  if (message?.role === "user")
    return quietly(userPart(state, messageId, message.inputId, { type: "text", text }));
  return close(state, { ...textRow(state, event, message), text, outcome: "completed" }, event.time);
}

/** A picture, a sound or a resource, which comes whole. */
export function partAdded(state: TranscriptState, event: EventOf<"part.added">): TranscriptStep {
  const { messageId, partId, kind, mediaType, data, uri } = event;
  const message = lookup(state.messages, messageId);
  if (message?.role === "user") {
    if (kind !== "image" || data === undefined) return quietly(state);
    return quietly(userPart(state, messageId, message.inputId, { type: "image", mediaType, data }));
  }
  return write(state, {
    ...wholeFrameOf(event, `part:${partId}`),
    type: "media",
    messageId,
    kind,
    mediaType,
    ...(data === undefined ? undefined : { data }),
    ...(uri === undefined ? undefined : { uri }),
  });
}

/** A message is over, and with it every part that had no end of its own. */
export function messageEnded(state: TranscriptState, event: EventOf<"message.ended">): TranscriptStep {
  const { messageId, outcome, time } = event;
  const message = lookup(state.messages, messageId);
  const rest = { ...state, messages: omit(state.messages, messageId) };
  if (message?.role === "user") return userMessageEnded(rest, messageId, time);
  return closeEach(
    rest,
    (row) =>
      (row.type === "text" || row.type === "reasoning") && row.messageId === messageId
        ? { ...row, outcome }
        : undefined,
    time,
  );
}

function textRow(
  state: TranscriptState,
  event: EventOf<"message.delta"> | EventOf<"part.ended">,
  message: OpenMessage | undefined,
): TextRow {
  const rowId = `part:${event.partId}`;
  return (
    openRow(state, rowId, event.kind) ?? {
      ...frameOf(event, rowId),
      type: event.kind,
      messageId: event.messageId,
      role: message?.role === "system" ? "system" : "assistant",
      text: "",
    }
  );
}
