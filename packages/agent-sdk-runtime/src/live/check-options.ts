import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { LiveSessionOptions } from "./options.ts";

/** The longest time that a timer takes, in milliseconds: nearly 25 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Throws `invalid-input` for a time that no timer can wait. */
export function checkTime(name: string, ms: number | undefined): void {
  if (ms === undefined || (ms >= 0 && ms <= LONGEST_MS)) return;
  throw new AgentRuntimeError(
    "invalid-input",
    `${name} is ${ms}; it must be a number of milliseconds from 0 to ${LONGEST_MS}.`,
  );
}

/** Throws `invalid-input` for options that no session can be made with. */
export function checkOptions(options: LiveSessionOptions): void {
  const { eventsBuffer = 1, startTimeoutMs, controlTimeoutMs, closeTimeoutMs } = options;
  checkTime("startTimeoutMs", startTimeoutMs);
  checkTime("controlTimeoutMs", controlTimeoutMs);
  checkTime("closeTimeoutMs", closeTimeoutMs);
  if (Number.isSafeInteger(eventsBuffer) && eventsBuffer > 0) return;
  throw new AgentRuntimeError(
    "invalid-input",
    `eventsBuffer is ${eventsBuffer}; it must be a number of messages, 1 at least.`,
  );
}
