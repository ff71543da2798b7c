import type { RawFrame } from "@claxedo/agent-event-runtime";
import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";

type MessageUpdate = Extract<AgentSessionEvent, { type: "message_update" }>;
type UpdateEvent = MessageUpdate["assistantMessageEvent"];

/** A frame, and about how many bytes it holds. */
export interface SizedFrame {
  readonly frame: RawFrame;
  readonly bytes: number;
}

/** A frame pi has sent us. */
export function received(payload: unknown, at: number): RawFrame {
  return { dir: "received", channel: "", payload, at };
}

/**
 * An event of pi in the form its RPC mode gives it: plain data, detached from what pi goes on changing.
 * Never throws.
 */
export function eventFrame(event: AgentSessionEvent, at: number): SizedFrame {
  try {
    const text = JSON.stringify(event.type === "message_update" ? smallUpdate(event) : trimmed(event));
    return { frame: received(JSON.parse(text), at), bytes: text.length };
  } catch (error) {
    const reason = `the event ${event.type} is no plain data: ${String(error)}`;
    return { frame: { kind: "broken", text: event.type, bytes: 0, reason, at }, bytes: 0 };
  }
}

/** `message` and `partial` grow with every piece: they are dropped before anything is copied. */
function smallUpdate(event: MessageUpdate): unknown {
  const usage = event.message.role === "assistant" ? event.message.usage : undefined;
  return { type: event.type, usage, assistantMessageEvent: smallEvent(event.assistantMessageEvent) };
}

function smallEvent(event: UpdateEvent): unknown {
  if (!("partial" in event)) return event;
  const { partial, ...rest } = event;
  if (event.type !== "toolcall_start") return rest;
  const call = partial.content[event.contentIndex];
  return call?.type === "toolCall" ? { ...rest, id: call.id, toolName: call.name } : rest;
}

/** Two events repeat messages that have come in a `message_end` of their own: those are left out. */
function trimmed(event: AgentSessionEvent): unknown {
  if (event.type === "agent_end") return { ...event, messages: [] };
  return event.type === "turn_end" ? { type: event.type, toolResults: [] } : event;
}
