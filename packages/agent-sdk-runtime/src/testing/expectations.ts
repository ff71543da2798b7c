import assert from "node:assert/strict";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../errors/agent-runtime-error.ts";

/** Checks that it rejects with this code and a message that holds all of these words; answers the message. */
export async function refused(
  action: Promise<unknown>,
  code: AgentRuntimeErrorCode,
  ...words: readonly string[]
): Promise<string> {
  const error: unknown = await action.then(
    () => assert.fail(`was done, and not refused with ${code}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error && AgentRuntimeError.is(error), String(error));
  assert.equal(error.code, code, error.message);
  for (const word of words) assert.ok(error.message.includes(word), `${word} is not in: ${error.message}`);
  return error.message;
}
