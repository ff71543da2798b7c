import { text } from "../../base/read.ts";
import type { AdapterContext, UnsentFrame, WireFrame } from "../../translation/event-adapter.ts";
import { answered } from "./ask-answers.ts";
import type { ClaudeState } from "./claude-state.ts";
import { dropControl, sendControl } from "./controls.ts";
import { dropUnsent, sendInput } from "./inputs.ts";
import { type ClaudeStep, silent, strayFrame } from "./step.ts";

/** A line that the host writes to the CLI. */
export function reduceSent(state: ClaudeState, frame: WireFrame, context: AdapterContext): ClaudeStep {
  const { payload, note } = frame;
  const type = text(payload, "type");
  switch (type) {
    case "user":
      return sendInput(state, payload, context, note);
    case "control_request":
      return sendControl(state, payload, note);
    case "control_response":
      return answered(state, payload, note);
    case "control_cancel_request": // its own answer, or none, follows
    case "keep_alive":
    case "update_environment_variables":
      return silent(state);
    case undefined:
      return strayFrame(state, "A line that the CLI cannot take was sent to it.");
    default:
      return strayFrame(
        state,
        `A line of type "${type.slice(0, 100)}" was sent to the CLI, which ignores it.`,
      );
  }
}

/** A line that could not be written. The translator reports it, and ends an input that the host named. */
export function reduceUnsent(state: ClaudeState, frame: UnsentFrame): ClaudeStep {
  const { payload, note } = frame.frame;
  switch (text(payload, "type")) {
    case "user":
      return dropUnsent(state, payload, note, frame.reason);
    case "control_request":
      return dropControl(state, payload);
    default:
      return silent(state);
  }
}
