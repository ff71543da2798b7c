import type { TurnOutcome } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "@claxedo/agent-sdk-runtime";
import { Cancelled } from "./cancelled.ts";
import { UsageError } from "./usage-error.ts";

/** What the command's exit codes mean. They are part of its interface. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  wrongUse: 2,
  cancelled: 3,
  /** A second Ctrl-C: 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** The exit code for a turn that ended this way. */
export function exitCodeOfOutcome(outcome: TurnOutcome): number {
  return exitCodes[outcome];
}

/** The exit code for an error that ended the command. */
export function exitCodeOfError(error: unknown): number {
  if (error instanceof Cancelled) return exitCodes.cancelled;
  if (error instanceof UsageError) return exitCodes.wrongUse;
  const wrongUse = AgentRuntimeError.is(error) && callersMistakes.has(error.code);
  return wrongUse ? exitCodes.wrongUse : exitCodes.failed;
}

/** Errors that only other arguments remedy. */
const callersMistakes: ReadonlySet<AgentRuntimeErrorCode> = new Set([
  "invalid-input",
  "not-supported",
  "session-not-found",
  "turn-not-found",
  "cursor-ahead",
  "harness-unknown",
  "access-unsupported",
  "model-unknown",
  "directory-missing",
]);
