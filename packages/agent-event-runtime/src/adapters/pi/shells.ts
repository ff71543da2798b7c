import { field, flag, number, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { askOf, describeCall } from "./frames.ts";
import type { PiShell, PiState } from "./pi-state.ts";
import { type PiHandler, type PiStep, says, silent, strayFrame } from "./step.ts";

/** A sent `bash` command: the user's own shell, shown as a tool call of no message and no run. */
export function startShell(state: PiState, payload: unknown, context: AdapterContext): PiStep {
  const callId = `b${context.frame}`;
  const command = text(payload, "command") ?? "";
  const shell: PiShell = { ask: askOf(payload), callId };
  return says(
    { ...state, shells: [...state.shells, shell] },
    {
      type: "tool.started",
      callId,
      name: "bash",
      kind: "execute",
      input: { command },
      ...describeCall("bash", payload),
    },
  );
}

/** `bash_execution_update` (1.x). */
export const shellUpdated: PiHandler = (state, payload) => {
  const shell = state.shells.find((known) => known.ask === askOf(payload));
  if (shell === undefined)
    return strayFrame(state, "Pi told the output of a shell command that is not running.");
  const delta = text(payload, "delta") ?? "";
  if (delta === "") return silent(state);
  return says(state, { type: "tool.output.delta", callId: shell.callId, stream: "output", text: delta });
};

/** The answer to a `bash` command: it is over. */
export function endShell(state: PiState, response: unknown): PiStep {
  const shell = state.shells.find((known) => known.ask === askOf(response));
  if (shell === undefined) return silent(state);
  const data = field(response, "data");
  const exitCode = number(data, "exitCode");
  const ok = flag(response, "success") === true && exitCode === 0;
  return says(withoutShell(state, shell), {
    type: "tool.ended",
    callId: shell.callId,
    outcome: flag(data, "cancelled") === true ? "cancelled" : ok ? "ok" : "failed",
    output: text(data, "output") ?? text(response, "error") ?? "",
    ...(exitCode === undefined ? undefined : { exitCode }),
  });
}

/** The command could not be written, so it never ran. */
export function dropShell(state: PiState, payload: unknown, reason: string): PiStep {
  const shell = state.shells.findLast((known) => known.ask === askOf(payload));
  if (shell === undefined) return silent(state);
  return says(withoutShell(state, shell), {
    type: "tool.ended",
    callId: shell.callId,
    outcome: "failed",
    output: reason,
  });
}

function withoutShell(state: PiState, shell: PiShell): PiState {
  return { ...state, shells: state.shells.filter((known) => known !== shell) };
}
