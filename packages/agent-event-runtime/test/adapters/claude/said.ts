import {
  type AgentRuntimeEvent,
  type EventOf,
  type EventType,
  type FrameNote,
  type RuntimeSnapshot,
  type TranscriptRow,
  claudeAdapter,
} from "../../../src/index.ts";
import { type PlayStep, type Played, frame, play, received } from "../../../src/testing/index.ts";
import { rowsOf } from "../../projections/rows-of.ts";
import { recording } from "./recordings.ts";

/** What the steps lead to, from an empty session or from where others led. */
export function played(steps: readonly PlayStep[], from?: RuntimeSnapshot): Played {
  return play(claudeAdapter, steps, from);
}

/** The events of the steps. */
export function eventsOf(steps: readonly PlayStep[], from?: RuntimeSnapshot): readonly AgentRuntimeEvent[] {
  return played(steps, from).events;
}

/** The events of a committed recording. */
export function ofCase(name: string): readonly AgentRuntimeEvent[] {
  return eventsOf(recording(`2.1.332-${name}`).steps);
}

/** The rows that a reader of a recording sees. */
export function rowsOfCase(name: string): readonly TranscriptRow[] {
  return rowsOf(ofCase(name));
}

/** The events of one type. */
export function only<Type extends EventType>(
  events: readonly AgentRuntimeEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is Extract<AgentRuntimeEvent, { type: Type }> => event.type === type);
}

/** The types of the events, in order, but those that only inform. */
export function typesOf(events: readonly AgentRuntimeEvent[]): readonly string[] {
  const aside = new Set<string>(["session.updated", "harness.updated", "usage.updated"]);
  return events.map((event) => event.type).filter((type) => !aside.has(type));
}

/** A line to the CLI. */
export function send(payload: unknown, note?: FrameNote): PlayStep {
  return frame({ dir: "sent", channel: "", payload, at: 0, ...(note === undefined ? undefined : { note }) });
}

/** A prompt; with a uuid when one is given, and what the host knows of it. */
export function prompt(text: unknown, more: FrameNote & { readonly uuid?: string } = {}): PlayStep {
  const { uuid, ...note } = more;
  const payload = {
    type: "user",
    message: { role: "user", content: text },
    ...(uuid === undefined ? {} : { uuid }),
  };
  return send(payload, note);
}

/** A request of the host. */
export function control(id: string, request: object, note?: FrameNote): PlayStep {
  return send({ type: "control_request", request_id: id, request }, note);
}

/** An answer of the host. */
export function answer(id: string, response: object, note?: FrameNote): PlayStep {
  return send({ type: "control_response", response: { subtype: "success", request_id: id, response } }, note);
}

const SESSION = { session_id: "S1" };

/** A line of the CLI. */
export function says(payload: object): PlayStep {
  return received({ ...SESSION, ...payload });
}

/** The beginning of a turn. */
export function init(more: object = {}): PlayStep {
  return says({
    type: "system",
    subtype: "init",
    cwd: "/w",
    model: "m-1",
    permissionMode: "default",
    ...more,
  });
}

/** A frame of the CLI about itself. */
export function system(subtype: string, more: object = {}): PlayStep {
  return says({ type: "system", subtype, ...more });
}

/** The fate of an input. */
export function fate(uuid: string, state: string): PlayStep {
  return says({ type: "command_lifecycle", command_uuid: uuid, state });
}

/** Whole blocks of a message. */
export function assistant(
  id: string,
  content: readonly object[],
  more: object = {},
  message: object = {},
): PlayStep {
  return says({
    type: "assistant",
    message: { id, role: "assistant", model: "m-1", content, ...message },
    parent_tool_use_id: null,
    ...more,
  });
}

/** A text block. */
export function text(said: string): object {
  return { type: "text", text: said };
}

/** A tool call block. */
export function call(id: string, name: string, input: object = {}): object {
  return { type: "tool_use", id, name, input };
}

/** The result of a call. */
export function toolResult(id: string, content: unknown, more: object = {}, block: object = {}): PlayStep {
  return says({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, ...block }] },
    parent_tool_use_id: null,
    ...more,
  });
}

/** An event of the model's stream. */
export function stream(event: object, more: object = {}): PlayStep {
  return says({ type: "stream_event", event, parent_tool_use_id: null, ...more });
}

/** The beginning of a streamed message. */
export function messageStart(id: string, more: object = {}): PlayStep {
  return stream({ type: "message_start", message: { id, role: "assistant", content: [] } }, more);
}

/** The beginning of a streamed block. */
export function blockStart(index: number, block: object, more: object = {}): PlayStep {
  return stream({ type: "content_block_start", index, content_block: block }, more);
}

/** More of a streamed block. */
export function delta(index: number, change: object, more: object = {}): PlayStep {
  return stream({ type: "content_block_delta", index, delta: change }, more);
}

/** More of a streamed text. */
export function textDelta(index: number, said: string, more: object = {}): PlayStep {
  return delta(index, { type: "text_delta", text: said }, more);
}

/** More of the input of a streamed call. */
export function inputDelta(index: number, json: string, more: object = {}): PlayStep {
  return delta(index, { type: "input_json_delta", partial_json: json }, more);
}

/** The end of a streamed block. */
export function blockStop(index: number, more: object = {}): PlayStep {
  return stream({ type: "content_block_stop", index }, more);
}

/** The verdict on a turn. */
export function result(more: object = {}): PlayStep {
  return says({ type: "result", subtype: "success", is_error: false, num_turns: 1, result: "ok", ...more });
}

/** A tool call asks whether it may run. */
export function canUseTool(id: string, request: object): PlayStep {
  return says({ type: "control_request", request_id: id, request: { subtype: "can_use_tool", ...request } });
}
