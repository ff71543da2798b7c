import { assign, lookup, omit } from "../../base/keyed-list.ts";
import type { EventOf } from "../../event/agent-runtime-event.ts";
import type { EventHandlers } from "../../projection/projection.ts";
import {
  type Field,
  fact,
  failure,
  flag,
  milliseconds,
  quoted,
  quotedJson,
  spent,
  word,
} from "./trace-line.ts";
import { type DebugTraceState, end, since, start, tell } from "./trace-state.ts";

/** What the agent says and does: messages, tool calls, files and plans. */
export const contentLines: Pick<
  EventHandlers<DebugTraceState, string>,
  | "message.started"
  | "message.delta"
  | "part.added"
  | "part.ended"
  | "message.ended"
  | "tool.started"
  | "tool.input.delta"
  | "tool.updated"
  | "tool.output.delta"
  | "tool.ended"
  | "tool.amended"
  | "file.changed"
  | "plan.updated"
  | "todo.updated"
> = {
  "message.started": (state, event) =>
    start(
      state,
      event,
      ["message", event.messageId],
      [fact("input", event.inputId), word(event.role), flag("synthetic", event.synthetic)],
    ),
  "message.delta": (state, event) =>
    tell(partOpen(state, event), event, [...partOf(event), word(event.kind), quoted(event.text)]),
  "part.added": (state, event) =>
    tell(state, event, [
      ...partOf(event),
      word(event.kind),
      word(event.mediaType),
      fact("length", event.data?.length),
      quoted(event.uri),
    ]),
  "part.ended": (state, event) => {
    const opened = lookup(state.parts, event.partId)?.opened;
    const took = milliseconds("took", opened === undefined ? undefined : event.time - opened);
    const next = { ...state, parts: omit(state.parts, event.partId) };
    return tell(next, event, [...partOf(event), word(event.kind), took, quoted(event.text)]);
  },
  "message.ended": (state, event) => {
    const parts = state.parts.filter(([, part]) => part.messageId !== event.messageId);
    return end(
      { ...state, parts },
      event,
      ["message", event.messageId],
      [fact("model", event.model), ...spent(event.usage, undefined), ...failure(event.error)],
    );
  },
  "tool.started": (state, event) =>
    start(
      state,
      event,
      ["tool", event.callId],
      [
        fact("message", event.messageId),
        word(event.name),
        word(event.kind),
        quoted(event.title),
        quotedJson(event.input),
      ],
    ),
  "tool.input.delta": (state, event) => tell(state, event, [fact("call", event.callId), quoted(event.text)]),
  "tool.updated": (state, event) =>
    tell(state, event, [
      fact("call", event.callId),
      quoted(event.title),
      quotedJson(event.input),
      quoted(event.output),
    ]),
  "tool.output.delta": (state, event) =>
    tell(state, event, [fact("call", event.callId), word(event.stream), quoted(event.text)]),
  "tool.ended": (state, event) =>
    end(
      state,
      event,
      ["tool", event.callId],
      [milliseconds("ran", event.durationMs), fact("exit", event.exitCode), quoted(event.output)],
    ),
  "tool.amended": (state, event) =>
    tell(state, event, [fact("call", event.callId), word(event.outcome), quoted(event.output)]),
  "file.changed": (state, event) =>
    tell(state, event, [fact("call", event.callId), word(event.change), quoted(event.path)]),
  "plan.updated": (state, event) => tell(state, event, [quoted(event.text)]),
  "todo.updated": (state, event) =>
    tell(state, event, [
      fact("items", event.items.length),
      fact("done", event.items.filter((item) => item.status === "done").length),
      quoted(event.items.find((item) => item.status === "active")?.text),
    ]),
};

function partOf(event: { readonly messageId: string; readonly partId: string }): readonly Field[] {
  return [fact("message", event.messageId), fact("part", event.partId)];
}

/** A part opens with its first delta, within an open message: one that comes later would never be ended. */
function partOpen(state: DebugTraceState, event: EventOf<"message.delta">): DebugTraceState {
  const known = lookup(state.parts, event.partId) !== undefined;
  if (known || since(state, event, ["message", event.messageId]) === undefined) return state;
  const part = { messageId: event.messageId, opened: event.time };
  return { ...state, parts: assign(state.parts, event.partId, part) };
}
