import { fingerprint } from "../../base/fingerprint.ts";
import { lookup } from "../../base/keyed-list.ts";
import { field, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeMessage, ClaudePart, ClaudeState } from "./claude-state.ts";
import { idOf, imageOf } from "./frames.ts";
import { placeOfMessage, withPart } from "./messages.ts";
import type { Place } from "./place.ts";
import { type ClaudeStep, says, silent, strayFrame } from "./step.ts";
import { toolResult } from "./tool-results.ts";
import { tellCall } from "./tools.ts";

/** The id of a part: its message's, and its place among the blocks. */
function partId(message: ClaudeMessage, index: string): string {
  return `${message.messageId}/${index}`;
}

/** The kind of part that a block of that type is. */
export function partKind(type: string): ClaudePart["kind"] {
  if (type === "text") return "text";
  if (type === "thinking") return "reasoning";
  return type.endsWith("tool_use") ? "tool" : "other";
}

/** A whole block of the agent's message. `repeats`: the frame may tell again what was told before. */
export function tellBlock(
  state: ClaudeState,
  place: Place,
  block: unknown,
  repeats: boolean,
  context: AdapterContext,
): ClaudeStep {
  const type = text(block, "type") ?? "";
  const kind = partKind(type);
  switch (kind) {
    case "text":
    case "reasoning":
      return endText(state, place.key, kind, text(block, type) ?? "", repeats);
    case "tool":
      return endCall(state, place, block, context);
    case "other":
      if (type.endsWith("tool_result")) return toolResult(state, place, block, undefined, context);
      return type === "image" ? addImage(state, place.key, block) : otherBlock(state, place.key, type);
  }
}

/** Blocks that hold nothing to show. */
const BARE_BLOCKS: ReadonlySet<string> = new Set(["redacted_thinking", "fallback"]);

function otherBlock(state: ClaudeState, key: string, type: string): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined) return silent(state);
  const open = message.parts.find(([, part]) => part.kind === "other" && !part.ended);
  const index = open?.[0] ?? nextIndex(message);
  const noted = withPart(state, key, index, { kind: "other", ended: true, mark: null });
  if (BARE_BLOCKS.has(type)) return silent(noted);
  return strayFrame(
    noted,
    `A message of the model has a block of type "${type.slice(0, 100)}", which is not shown.`,
  );
}

/** A text is whole: the one that streamed, or the next one of the message. */
function endText(
  state: ClaudeState,
  key: string,
  kind: "text" | "reasoning",
  whole: string,
  repeats: boolean,
): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined) return silent(state);
  const mark = fingerprint(whole);
  const open = message.parts.find(([, part]) => part.kind === kind && !part.ended);
  if (open === undefined && repeats && hasText(message, kind, mark)) return silent(state);
  const index = open?.[0] ?? nextIndex(message);
  const next = withPart(state, key, index, { kind, ended: true, mark });
  if (whole === "" && open === undefined) return silent(next);
  const { messageId } = message;
  return says(next, { type: "part.ended", messageId, partId: partId(message, index), kind, text: whole });
}

/** Whether the message holds that text already. */
export function hasText(message: ClaudeMessage, kind: ClaudePart["kind"], mark: string): boolean {
  return message.parts.some(([, part]) => part.kind === kind && part.ended && part.mark === mark);
}

function endCall(state: ClaudeState, place: Place, block: unknown, context: AdapterContext): ClaudeStep {
  const message = lookup(state.messages, place.key);
  const id = idOf(block, "id");
  if (message === undefined || id === undefined)
    return strayFrame(state, "A tool call of the model has no id.");
  const known = message.parts.find(([, part]) => part.kind === "tool" && part.mark === id);
  const index = known?.[0] ?? nextIndex(message);
  const noted = withPart(state, place.key, index, { kind: "tool", ended: true, mark: id });
  const name = text(block, "name") ?? "unknown";
  const input = field(block, "input") ?? {};
  return tellCall(
    noted,
    { id, name, input, messageId: message.messageId },
    placeOfMessage(noted, place),
    context,
  );
}

function addImage(state: ClaudeState, key: string, block: unknown): ClaudeStep {
  const message = lookup(state.messages, key);
  const image = imageOf(block);
  if (message === undefined || image === undefined) return silent(state);
  const index = nextIndex(message);
  const { messageId } = message;
  const { mediaType, data } = image;
  return says(withPart(state, key, index, { kind: "other", ended: true, mark: null }), {
    type: "part.added",
    messageId,
    partId: partId(message, index),
    kind: "image",
    mediaType,
    data,
  });
}

function nextIndex(message: ClaudeMessage): string {
  let index = message.parts.length;
  while (lookup(message.parts, String(index)) !== undefined) index += 1;
  return String(index);
}

/** Text to append to a part that streams; its first text opens it. */
export function growText(
  state: ClaudeState,
  key: string,
  index: string,
  kind: "text" | "reasoning",
  delta: string,
): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined || delta === "") return silent(state);
  const part = lookup(message.parts, index);
  if (part !== undefined && (part.ended || part.kind !== kind)) {
    return strayFrame(state, "The model added to a block that was over.");
  }
  const next = part === undefined ? withPart(state, key, index, { kind, ended: false, mark: null }) : state;
  const { messageId } = message;
  return says(next, { type: "message.delta", messageId, partId: partId(message, index), kind, text: delta });
}
