import type { MessageReply, StopReason } from "../script/model-step.ts";
import type { Call } from "./act.ts";

/** What a message says besides its content. */
export interface MessageFrame {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly stop_reason: StopReason;
  readonly stop_sequence: null;
  readonly usage: Readonly<Record<string, number | string>>;
}

/** The message without its content, as it is once it has ended. */
export function messageFrame(reply: MessageReply, call: Call): MessageFrame {
  const calls = reply.blocks.some((block) => "tool" in block);
  return {
    id: `msg_mock_${call.fingerprint}`,
    type: "message",
    role: "assistant",
    model: reply.model ?? call.model,
    stop_reason: reply.stopReason ?? (calls ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5,
      service_tier: "standard",
      ...reply.usage,
    },
  };
}
