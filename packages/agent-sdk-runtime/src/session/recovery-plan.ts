import type { ErrorInfo } from "@claxedo/agent-event-runtime";
import type { ForcedVerdict } from "./turn-machine.ts";
import type { RunningTurn } from "./session-state.ts";

/**
 * The verdict on a turn whose host is gone, or could not store any more what happened, by its `failure`, and
 * whose harness has no record that it was finished. It is never run again by itself: the message says whether
 * the prompt can have reached the agent.
 */
export function recoveryVerdict(turn: RunningTurn, failure?: ErrorInfo): ForcedVerdict {
  const seen = turn.runs.length > 0;
  const sent = turn.inputs.some((input) => input.sent);
  const delivery = seen
    ? "The agent had begun to work on it, so parts of it may be done."
    : sent
      ? "Whether the agent got it is not known."
      : "The agent never got it.";
  const { reason, error } = causeOf(failure);
  const message = `${error.message} ${delivery} Send it again if you want it done.`;
  return { outcome: "failed", reason, error: { ...error, message } };
}

/** A host that was fenced has not failed: what is open was left by the one that took the session from it. */
function causeOf(failure: ErrorInfo | undefined): { readonly reason: string; readonly error: ErrorInfo } {
  if (failure !== undefined && failure.code !== "fenced") return { reason: "store-failed", error: failure };
  const message = "The process that ran this turn ended before the turn did.";
  return { reason: "host-lost", error: { code: "host-lost", message } };
}
