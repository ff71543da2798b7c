import type { EventDraft } from "../../event/agent-runtime-event.ts";
import { field, flag, number, text } from "../../base/read.ts";
import { messageEnded } from "./messages.ts";
import { endRun } from "./runs.ts";
import { type PiHandler, type PiStep, silent, andThen, unknownFrame } from "./step.ts";

/** Roles that both the events and the session file tell; `seen` counts these. */
const COUNTED_ROLES: ReadonlySet<string> = new Set(["user", "assistant", "toolResult"]);

/**
 * A frame of the history channel: pi's session file, told again by the host that takes over a session
 * whose host died. `{type: "message", index?, message}` for each message since the prompt, in order,
 * then `{type: "end", complete}`. What the log holds already is skipped, since the log is always a
 * prefix of the file; the rest are the rows that are missing.
 */
export const reduceHistory: PiHandler = (state, payload, context) => {
  const type = text(payload, "type");
  switch (type) {
    case "message":
      return retell(state, payload, context);
    case "end": {
      const over = { ...state, told: 0 };
      return flag(payload, "complete") === true ? endRun(over) : silent(over);
    }
    default:
      return unknownFrame(state, `history of type "${type ?? ""}"`);
  }
};

const retell: PiHandler = (state, payload, context) => {
  const message = field(payload, "message");
  if (!COUNTED_ROLES.has(text(message, "role") ?? "")) return silent(state);
  const index = number(payload, "index") ?? state.told;
  const told = { ...state, told: index + 1 };
  return index < state.seen
    ? silent(told)
    : replayed(andThen(silent(told), (at) => messageEnded(at, { message }, context)));
};

/** That the run began and took the input up is news; what the run said is history. */
function replayed(step: PiStep): PiStep {
  return { state: step.state, events: step.events.map(marked) };
}

function marked(draft: EventDraft): EventDraft {
  return draft.type === "run.started" || draft.type === "input.joined" ? draft : { ...draft, replayed: true };
}
