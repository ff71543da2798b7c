import assert from "node:assert/strict";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../../../src/errors/agent-runtime-error.ts";
import type { SessionStore } from "../../../src/stores/session-store.ts";
import type { StorePlace } from "../store-suite.ts";

/** The store opened for writing. */
export async function hostOf(place: StorePlace): Promise<SessionStore> {
  const store = place.store();
  await store.open("host");
  return store;
}

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
