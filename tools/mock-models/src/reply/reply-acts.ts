import type { Reply } from "../script/model-step.ts";
import type { Act, Call } from "./act.ts";
import { errorReply } from "./error-reply.ts";
import { streamReply } from "./stream-reply.ts";
import { wholeReply } from "./whole-reply.ts";

/** What is done for a reply. Pure; taken one by one, so that a long reply is made only as fast as it is read. */
export function* replyActs(reply: Reply, call: Call): Generator<Act> {
  if (reply.delayMs !== undefined) yield { kind: "wait", ms: reply.delayMs };
  if (reply.gate !== undefined) yield { kind: "gate", name: reply.gate };
  if ("error" in reply) yield* errorReply(reply.error, call);
  else if ("blocks" in reply) yield* (call.stream ? streamReply : wholeReply)(reply, call);
  else yield { kind: "cut" in reply ? "cut" : "hang" };
}
