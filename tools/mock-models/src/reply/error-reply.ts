import type { ErrorReply } from "../script/model-step.ts";
import type { Act, Call } from "./act.ts";

/** The error types of the API by status (docs: "Errors"). */
const TYPES: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/** An answer of the API that is an error. */
export function* errorReply(error: ErrorReply["error"], call: Call): Generator<Act> {
  const { status, message = `Scripted failure with status ${status}.`, headers } = error;
  const type = error.type ?? TYPES.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
  yield jsonHead(status, call, headers);
  yield {
    kind: "write",
    data: JSON.stringify({ type: "error", error: { type, message }, request_id: call.requestId }),
  };
}

/** The head of an answer in JSON. */
export function jsonHead(
  status: number,
  { requestId }: Call,
  headers: Readonly<Record<string, string>> = {},
): Act {
  return {
    kind: "head",
    status,
    headers: { "content-type": "application/json", "request-id": requestId, ...headers },
  };
}

/** The status that goes with an error type. */
export function statusOf(type: string): number {
  for (const [status, name] of TYPES) if (name === type) return status;
  return 500;
}
