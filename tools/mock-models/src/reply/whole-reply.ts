import type { MessageReply } from "../script/model-step.ts";
import type { Act, Call } from "./act.ts";
import { contentOf, type IncidentBlock, isContent } from "./content.ts";
import { errorReply, jsonHead, statusOf } from "./error-reply.ts";
import { errorOf, pauseAct, rawBytes } from "./incident.ts";
import { messageFrame } from "./message.ts";

/** A message as one JSON object. */
export function* wholeReply(reply: MessageReply, call: Call): Generator<Act> {
  const content = reply.blocks
    .filter(isContent)
    .map((block, index) => contentOf(block, index, call, reply).whole);
  const json = JSON.stringify({ ...messageFrame(reply, call), content });
  const head = jsonHead(200, call, reply.headers);
  for (const block of reply.blocks)
    if (!isContent(block) && (yield* incidentActs(block, head, json, call))) return;
  yield head;
  yield { kind: "write", data: json };
}

/** Whether the reply ends with it. */
function* incidentActs(block: IncidentBlock, head: Act, json: string, call: Call): Generator<Act, boolean> {
  if ("ping" in block) return false;
  if ("errorEvent" in block) {
    const error = errorOf(block);
    yield* errorReply({ status: statusOf(error.type), ...error }, call);
    return true;
  }
  if ("raw" in block || "end" in block) {
    yield head;
    yield { kind: "write", data: "raw" in block ? rawBytes(block) : json.slice(0, -1) };
    return true;
  }
  yield pauseAct(block);
  return "cut" in block;
}
