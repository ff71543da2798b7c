import { text } from "../../base/read.ts";
import type { ClaudeInput, ClaudeState } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { endInput, joinNamed, joinRun, replaceInput, waitingFor } from "./inputs.ts";
import { ensureRun } from "./runs.ts";
import {
  type ClaudeHandler,
  type ClaudeStep,
  andThen,
  says,
  silent,
  strayFrame,
  unknownFrame,
} from "./step.ts";

/** `command_lifecycle`: what becomes of an input that has a uuid. */
export const lifecycle: ClaudeHandler = (from, payload, context) => {
  const state = from.lifecycles ? from : { ...from, lifecycles: true };
  const uuid = idOf(payload, "command_uuid");
  const fate = text(payload, "state");
  if (uuid === undefined) return strayFrame(state, "The CLI told the fate of an input without naming it.");
  const input = waitingFor(state, uuid);
  switch (fate) {
    case "queued":
      return silent(input === undefined ? state : replaceInput(state, input, { ...input, seen: true }));
    case "started":
      return andThen(ensureRun(state, context, [uuid]), (open) => joinNamed(open, [uuid]));
    case "completed":
      return input === undefined ? silent(state) : completed(state, input);
    case "cancelled":
      return input === undefined ? silent(state) : endInput(state, input, "cancelled");
    default:
      return unknownFrame(state, `the fate "${fate ?? ""}" of an input`);
  }
};

/** Without having been queued, the CLI had it already; queued and not started, it went into what runs. */
function completed(state: ClaudeState, input: ClaudeInput): ClaudeStep {
  if (input.joined) return endInput(state, input, "answered");
  if (!input.seen) return endInput(state, input, "known");
  if (state.run === null) return endInput(state, input, "handled");
  return andThen(joinRun(state, input), (joined) => endInput(joined, input, "answered"));
}

/**
 * A run passes, and not a word came on an input of it that has a uuid: an older CLI. Its inputs are
 * settled by their order from here on, which is said once.
 */
export function missFates(state: ClaudeState): ClaudeStep {
  const passes = state.inputs.some((input) => input.joined && input.uuid !== null);
  if (state.lifecycles !== null || !passes) return silent(state);
  return says(
    { ...state, lifecycles: false },
    {
      type: "diagnostic",
      code: "claude.no-lifecycle",
      severity: "warning",
      message:
        "This Claude Code does not say what becomes of each message (command_lifecycle), so messages are settled by their order: one sent while it works may be told as part of the wrong run, and one that it drops, cancels or knows already is not noticed.",
    },
  );
}
