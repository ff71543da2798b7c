import { text } from "../../base/read.ts";
import type { ClaudeInput, ClaudeState } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { endInput, joinNamed, joinRun, replaceInput, waitingFor } from "./inputs.ts";
import { ensureRun } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, silent, strayFrame, unknownFrame } from "./step.ts";

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
