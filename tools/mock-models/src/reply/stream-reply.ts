import type { MessageReply } from "../script/model-step.ts";
import type { Act, Call } from "./act.ts";
import { type Content, contentOf, type IncidentBlock, isContent } from "./content.ts";
import { errorOf, pauseAct, rawBytes } from "./incident.ts";
import { messageFrame } from "./message.ts";

/** A message as a stream of server-sent events. */
export function* streamReply(reply: MessageReply, call: Call): Generator<Act> {
  const { stop_reason, stop_sequence, ...frame } = messageFrame(reply, call);
  yield head(reply, call);
  yield event("message_start", {
    message: {
      ...frame,
      content: [],
      stop_reason: null,
      stop_sequence,
      usage: { ...frame.usage, output_tokens: 1 },
    },
  });
  let index = 0;
  for (const block of reply.blocks) {
    if (isContent(block)) yield* contentActs(contentOf(block, index, call, reply), index++);
    else if (yield* incidentActs(block)) return;
  }
  yield event("message_delta", { delta: { stop_reason, stop_sequence }, usage: frame.usage });
  yield event("message_stop", {});
}

function head(reply: MessageReply, { requestId }: Call): Act {
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": requestId,
    ...reply.headers,
  };
  return { kind: "head", status: 200, headers };
}

function* contentActs({ start, deltas, paceMs }: Content, index: number): Generator<Act> {
  yield event("content_block_start", { index, content_block: start });
  for (const delta of deltas) {
    yield event("content_block_delta", { index, delta });
    if (paceMs !== undefined) yield { kind: "wait", ms: paceMs };
  }
  yield event("content_block_stop", { index });
}

/** Whether the reply ends with it. */
function* incidentActs(block: IncidentBlock): Generator<Act, boolean> {
  if ("end" in block) return true;
  if ("ping" in block) yield event("ping", {});
  else if ("raw" in block) yield { kind: "write", data: rawBytes(block) };
  else if ("errorEvent" in block) yield event("error", { error: errorOf(block) });
  else yield pauseAct(block);
  return "errorEvent" in block || "cut" in block;
}

function event(type: string, data: object): Act {
  return { kind: "write", data: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n` };
}
