import { lookup } from "../../base/keyed-list.ts";
import { field, number, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { closeMessage, openMessage, placeOfMessage, tellUsage, withPart } from "./messages.ts";
import { growText, partKind } from "./parts.ts";
import type { Place } from "./place.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, silent, strayFrame, unknownFrame } from "./step.ts";
import { inAgent } from "./tasks.ts";
import { endTools, growInput, settleInput, tellCall } from "./tools.ts";

type StreamHandler = (
  state: ClaudeState,
  place: Place,
  event: unknown,
  payload: unknown,
  context: AdapterContext,
) => ClaudeStep;

/** `stream_event`: an event of the model's own stream, of the agent that the frame names. */
export const streamed: ClaudeHandler = (state, payload, context) => {
  const event = field(payload, "event");
  const type = text(event, "type") ?? "";
  const handle = EVENTS.get(type);
  if (handle === undefined) return unknownFrame(state, `stream events of type "${type}"`);
  return inAgent(state, payload, context, (known, place) =>
    place.late
      ? strayFrame(known, "The model went on in what is over.")
      : handle(known, place, event, payload, context),
  );
};

const messageStarted: StreamHandler = (state, place, event, payload, context) => {
  const message = field(event, "message");
  const vendorId = idOf(message, "id") ?? idOf(payload, "api_message_id");
  const current = lookup(state.messages, place.key);
  if (current !== undefined && vendorId !== undefined && current.vendorId === vendorId) {
    return strayFrame(state, "The model began a message that it had begun already.");
  }
  if (vendorId !== undefined && context.wasEnded("message", vendorId)) {
    return strayFrame(state, "The model began a message that was over.");
  }
  const opening = { vendorId, streamed: true, synthetic: false };
  return andThen(openMessage(state, payload, place, context, opening), (open) =>
    tellUsage(open, placeOfMessage(open, place), message),
  );
};

/** In the message that the event is of; the beginning of one may be missing. */
function inMessage(handle: StreamHandler): StreamHandler {
  return (state, place, event, payload, context) => {
    const vendorId = idOf(payload, "api_message_id");
    const current = lookup(state.messages, place.key);
    const own = current !== undefined && (vendorId === undefined || current.vendorId === vendorId);
    if (own && current.ended) return strayFrame(state, "The model went on with a message that was over.");
    if (own) return handle(state, place, event, payload, context);
    if (vendorId !== undefined && context.wasEnded("message", vendorId)) {
      return strayFrame(state, "The model went on with an earlier message.");
    }
    const opening = { vendorId, streamed: true, synthetic: false };
    return andThen(openMessage(state, payload, place, context, opening), (open) =>
      handle(open, placeOfMessage(open, place), event, payload, context),
    );
  };
}

const blockStarted: StreamHandler = (state, place, event, _payload, context) => {
  const block = field(event, "content_block");
  const kind = partKind(text(block, "type") ?? "");
  const index = indexOf(event);
  const message = lookup(state.messages, place.key);
  if (message === undefined || lookup(message.parts, index) !== undefined) return silent(state);
  const id = idOf(block, "id");
  const mark = kind === "tool" ? (id ?? null) : null;
  const noted = withPart(state, place.key, index, { kind, ended: false, mark });
  if (kind === "tool" && id !== undefined) {
    const call = { id, name: text(block, "name") ?? "unknown", messageId: message.messageId };
    return tellCall(noted, call, placeOfMessage(noted, place), context);
  }
  if (kind === "text") return growText(noted, place.key, index, kind, text(block, "text") ?? "");
  return kind === "reasoning"
    ? growText(noted, place.key, index, kind, text(block, "thinking") ?? "")
    : silent(noted);
};

const blockGrew: StreamHandler = (state, place, event) => {
  const delta = field(event, "delta");
  const type = text(delta, "type");
  const index = indexOf(event);
  switch (type) {
    case "text_delta":
      return growText(state, place.key, index, "text", text(delta, "text") ?? "");
    case "thinking_delta":
      return growText(state, place.key, index, "reasoning", text(delta, "thinking") ?? "");
    case "input_json_delta": {
      const call = callAt(state, place.key, index);
      return call === undefined
        ? strayFrame(state, "The model wrote input of a tool call that it had not begun.")
        : growInput(state, call, text(delta, "partial_json") ?? "");
    }
    case "signature_delta": // proves the thinking to the model's provider
    case "citations_delta": // stands in the whole text as well
      return silent(state);
    default:
      return unknownFrame(state, `stream deltas of type "${type ?? ""}"`);
  }
};

// A text ends with the whole of it, which the CLI tells just before; a call's input may come in pieces alone.
const blockStopped: StreamHandler = (state, place, event) => {
  const call = callAt(state, place.key, indexOf(event));
  return call === undefined ? silent(state) : settleInput(state, call);
};

const messageChanged: StreamHandler = (state, place, event) =>
  tellUsage(state, placeOfMessage(state, place), event);

/** Blocks that the stream did not finish are given up, and the message with them. */
const messageStopped: StreamHandler = (state, place, _event, payload) => {
  const from = number(field(payload, "abandoned_blocks"), "from_block_index");
  if (from === undefined) return closeMessage(state, place.key, "completed");
  const parts = lookup(state.messages, place.key)?.parts ?? [];
  const calls = parts.flatMap(([index, part]) =>
    part.kind === "tool" && Number(index) >= from ? [part.mark] : [],
  );
  return andThen(
    endTools(state, (_, id) => calls.includes(id), "abandoned"),
    (open) => closeMessage(open, place.key, "abandoned"),
  );
};

const EVENTS: ReadonlyMap<string, StreamHandler> = new Map<string, StreamHandler>([
  ["message_start", messageStarted],
  ["content_block_start", inMessage(blockStarted)],
  ["content_block_delta", inMessage(blockGrew)],
  ["content_block_stop", inMessage(blockStopped)],
  ["message_delta", inMessage(messageChanged)],
  ["message_stop", inMessage(messageStopped)],
  ["ping", (state) => silent(state)],
]);

function indexOf(event: unknown): string {
  return String(number(event, "index") ?? 0);
}

function callAt(state: ClaudeState, key: string, index: string): string | undefined {
  const message = lookup(state.messages, key);
  const part = message === undefined ? undefined : lookup(message.parts, index);
  return part?.kind === "tool" && part.mark !== null ? part.mark : undefined;
}
