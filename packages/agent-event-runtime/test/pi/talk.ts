// What pi and its host say to each other, in short words.
import { type AgentRuntimeEvent, type EventType, piAdapter } from "../../src/index.ts";
import { type PlayStep as Step, frame, play, received, sent } from "../../src/testing/index.ts";
import { recording } from "./recordings.ts";

export function eventsOf(steps: readonly Step[]): readonly AgentRuntimeEvent[] {
  return play(piAdapter, steps).events;
}

export function ofCase(name: string): readonly AgentRuntimeEvent[] {
  return eventsOf(recording(name).steps);
}

export function only<Type extends EventType>(
  events: readonly AgentRuntimeEvent[],
  type: Type,
): readonly Extract<AgentRuntimeEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentRuntimeEvent, { type: Type }> => event.type === type);
}

export function types(events: readonly AgentRuntimeEvent[]): readonly string[] {
  return events.map((event) => event.type);
}

export const prompt = (message: string, inputId?: string, more: object = {}): Step =>
  sent({ id: message, type: "prompt", message, ...more }, inputId);
/** A prompt that holds more than the user's words: a transcript that is handed over. */
export const handedOver = (words: string, inputId: string): Step =>
  frame({
    dir: "sent",
    channel: "",
    payload: { type: "prompt", message: `a transcript\n\n${words}` },
    at: 0,
    note: { inputId, parts: [{ type: "text", text: words }] },
  });
export const answer = (command: string, id: string, more: object = { success: true }): Step =>
  received({ type: "response", command, id, ...more });
export const event = (type: string, more: object = {}): Step => received({ type, ...more });
export const message = (role: string, content: unknown, more: object = {}): object => ({
  message: { role, content, ...more },
});
export const user = (text: string): readonly Step[] => [
  event("message_start", message("user", [{ type: "text", text }])),
  event("message_end", message("user", [{ type: "text", text }])),
];
export const says = (text: string, stopReason = "stop", more: object = {}): readonly Step[] => [
  event("message_start", message("assistant", [])),
  event("message_end", message("assistant", [{ type: "text", text }], { stopReason, ...more })),
];
export const settled = (aborted = false): readonly Step[] => [
  event("agent_end", { willRetry: false }),
  event("agent_settled", { aborted }),
];
export const quiet: Step = frame({ kind: "quiet", forMs: 500, at: 0 });
