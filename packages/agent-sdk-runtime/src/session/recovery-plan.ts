import type { ForcedVerdict } from "./turn-machine.ts";
import type { RunningTurn } from "./session-state.ts";

/**
 * The verdict on a turn whose host is gone and whose harness has no record that it was finished. It is
 * never run again by itself: the message says whether the prompt can have reached the agent.
 */
export function recoveryVerdict(turn: RunningTurn): ForcedVerdict {
  const seen = turn.runs.length > 0;
  const sent = turn.inputs.some((input) => input.sent);
  const delivery = seen
    ? "The agent had begun to work on it, so parts of it may be done."
    : sent
      ? "Whether the agent got it is not known."
      : "The agent never got it.";
  return {
    outcome: "failed",
    reason: "host-lost",
    error: {
      code: "host-lost",
      message: `The process that ran this turn ended before the turn did. ${delivery} Send it again if you want it done.`,
    },
  };
}
