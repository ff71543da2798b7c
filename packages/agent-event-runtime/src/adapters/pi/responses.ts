import { field, flag, text } from "../../base/read.ts";
import { modelOf } from "./frames.ts";
import { answerInput, cancelQueued } from "./inputs.ts";
import type { PiState } from "./pi-state.ts";
import { awaitsVerdict, endRun } from "./runs.ts";
import { endShell } from "./shells.ts";
import { type PiHandler, type PiStep, says, silent } from "./step.ts";

/** `response`: the answer to a command. Those that are not named here carry data for the host alone. */
export const responded: PiHandler = (state, payload) => {
  const command = text(payload, "command");
  switch (command) {
    case "prompt":
    case "steer":
    case "follow_up":
      return answerInput(state, payload, command);
    case "bash":
      return endShell(state, payload);
    default:
      return flag(payload, "success") === true
        ? succeeded(state, command, payload)
        : failed(state, command, payload);
  }
};

function succeeded(state: PiState, command: string | undefined, response: unknown): PiStep {
  switch (command) {
    case "clear_queue":
      return cancelQueued(state, response);
    case "set_model":
      return modelChanged(state, field(response, "data"));
    case "cycle_model":
      return modelChanged(state, field(field(response, "data"), "model"));
    case "abort":
      return settledBy(state, true);
    case "get_state":
      return settledBy(state, flag(field(response, "data"), "isStreaming") === false);
    default:
      return silent(state);
  }
}

/** In 0.73 these answers come after `agent_end` and say what `agent_settled` says in 1.x. */
function settledBy(state: PiState, idle: boolean): PiStep {
  return idle && awaitsVerdict(state) ? endRun(state) : silent(state);
}

function modelChanged(state: PiState, model: unknown): PiStep {
  const name = modelOf(model, "id");
  return name === undefined ? silent(state) : says(state, { type: "session.updated", model: name });
}

function failed(state: PiState, command: string | undefined, response: unknown): PiStep {
  const reason = text(response, "error") ?? "no reason was given";
  return says(state, {
    type: "diagnostic",
    code: "pi.command-failed",
    severity: "warning",
    message: `Pi refused the command "${(command ?? "").slice(0, 100)}": ${reason.slice(0, 1000)}`,
  });
}
