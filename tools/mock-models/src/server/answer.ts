import { createHash } from "node:crypto";
import { type Choice, choose, refusal } from "../choice/choose.ts";
import { type MessagesBody, readMessagesBody } from "../choice/messages-body.ts";
import type { RequestRule } from "../choice/rule.ts";
import type { Act, Call } from "../reply/act.ts";
import { jsonHead } from "../reply/error-reply.ts";
import { replyActs } from "../reply/reply-acts.ts";
import type { Scripts } from "../script/parse.ts";
import type { Attempts } from "./attempts.ts";
import { pathname, type Received } from "./received.ts";

/** What a request is answered, and why. */
export interface Answer {
  readonly rule: RequestRule;
  readonly acts: Iterable<Act>;
}

const MODEL = { type: "model", id: "mock-model", display_name: "Mock", created_at: "2026-01-01T00:00:00Z" };

/** What answers rest on besides the request. */
export interface AnswerParts {
  readonly scripts: Scripts;
  readonly attempts: Attempts;
}

/** Answers a request by its endpoint; `requestId` is what the API calls it. */
export function answerOf(received: Received, requestId: string, parts: AnswerParts): Answer {
  const { method, path, text, body } = received;
  const call = callOf(received, requestId);
  switch (`${method} ${pathname(path)}`) {
    case "POST /v1/messages":
      return messageAnswer(readMessagesBody(body), received, call, parts);
    case "POST /v1/messages/count_tokens":
      return valueAnswer({ input_tokens: Math.ceil(text.length / 4) }, call);
    case "GET /v1/models":
      return valueAnswer({ data: [MODEL], has_more: false, first_id: MODEL.id, last_id: MODEL.id }, call);
    default:
      return chosenAnswer(refusal(`there is no ${method} ${pathname(path)}.`, 404), call);
  }
}

function messageAnswer(
  body: MessagesBody | string,
  received: Received,
  call: Call,
  { scripts, attempts }: AnswerParts,
): Answer {
  if (typeof body === "string") return chosenAnswer(refusal(body), call);
  const attempt = (step: string): number => attempts.next(`${askerOf(received)} ${step}`);
  const choice = choose(body, { scripts, attempt });
  return chosenAnswer(choice, { ...call, model: body.model, stream: body.stream === true });
}

function chosenAnswer({ rule, reply }: Choice, call: Call): Answer {
  return { rule, acts: replyActs(reply, call) };
}

function valueAnswer(value: unknown, call: Call): Answer {
  const acts: readonly Act[] = [jsonHead(200, call), { kind: "write", data: JSON.stringify(value) }];
  return { rule: { kind: "endpoint" }, acts };
}

function callOf(received: Received, requestId: string): Call {
  const hash = createHash("sha256").update(`${askerOf(received)} ${received.text}`);
  return { requestId, fingerprint: hash.digest("hex").slice(0, 20), model: "", stream: false };
}

/** Claude Code's session and, in a subagent, that agent: what two of them ask alike is not the same. */
function askerOf({ headers }: Received): string {
  return `${headers["x-claude-code-session-id"]} ${headers["x-claude-code-agent-id"]}`;
}
