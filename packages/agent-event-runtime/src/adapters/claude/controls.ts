import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, flag, list, text } from "../../base/read.ts";
import type { FrameNote } from "../../translation/event-adapter.ts";
import { requested } from "./ask-requests.ts";
import { endAsks, requestKey } from "./asks.ts";
import type { ClaudeControl, ClaudeState } from "./claude-state.ts";
import { idOf, idsOf } from "./frames.ts";
import { endInput } from "./inputs.ts";
import { amendRun } from "./runs.ts";
import { tellFacts, tellServer } from "./session.ts";
import { type ClaudeHandler, type ClaudeStep, each, says, silent, strayFrame } from "./step.ts";

/** Beyond this many, the oldest requests that the CLI did not answer are forgotten. */
const MAX_CONTROLS = 32;

/**
 * A sent `control_request`. Its answer tells what there is to tell, but an interrupt calls off the run at
 * once.
 */
export function sendControl(state: ClaudeState, payload: unknown, note: FrameNote | undefined): ClaudeStep {
  const key = requestKey(payload);
  const request = field(payload, "request");
  const subtype = text(request, "subtype");
  if (key === undefined || subtype === undefined) {
    return strayFrame(state, "A request that the CLI cannot take was sent to it.");
  }
  const control: ClaudeControl = { subtype: subtype.slice(0, 100), value: valueOf(subtype, request) };
  const sent = { ...state, controls: assign(state.controls, key, control).slice(-MAX_CONTROLS) };
  return subtype === "interrupt" ? interrupt(sent, note) : silent(sent);
}

/** What the answer need not repeat. A title that is to be kept is one that the session then has. */
function valueOf(subtype: string, request: unknown): string | null {
  if (subtype === "generate_session_title") return flag(request, "persist") === true ? "title" : null;
  return text(request, subtype === "set_model" ? "model" : "mode")?.slice(0, 200) ?? null;
}

function interrupt(state: ClaudeState, note: FrameNote | undefined): ClaudeStep {
  const { run } = state;
  if (run === null) return silent(state);
  const by = note?.by ?? "user";
  return endAsks(
    amendRun(state, { interrupted: true }),
    (ask) => ask.kind !== "host" && ask.runId === run.runId,
    { outcome: "cancelled", by },
  );
}

/** `control_response`: the CLI answers a request of the host. */
export const responded: ClaudeHandler = (state, payload, context) => {
  const response = field(payload, "response");
  const key = requestKey(response);
  const control = key === undefined ? undefined : lookup(state.controls, key);
  if (key === undefined || control === undefined) {
    return strayFrame(state, "The CLI answered a request that is not open.");
  }
  const rest = { ...state, controls: omit(state.controls, key) };
  if (text(response, "subtype") !== "success") return refusedControl(rest, control, response);
  if (control.subtype !== "initialize") return tellAnswer(rest, control, field(response, "response"));
  const asks = list(response, "pending_permission_requests");
  return each(tellOffer(rest, field(response, "response")), asks, (open, ask) =>
    requested(open, ask, context),
  );
};

function tellOffer(state: ClaudeState, answer: unknown): ClaudeStep {
  const commands = list(answer, "commands").flatMap((command) => text(command, "name") ?? []);
  const mode = text(answer, "current_permission_mode");
  return tellFacts(state, { mode, commands: commands.length > 0 ? commands : undefined });
}

function tellAnswer(state: ClaudeState, { subtype, value }: ClaudeControl, answer: unknown): ClaudeStep {
  switch (subtype) {
    case "set_model":
      return tellFacts(state, { model: text(answer, "model") ?? value ?? undefined });
    case "set_permission_mode":
      return tellFacts(state, { mode: text(answer, "mode") ?? value ?? undefined });
    case "generate_session_title": {
      const title = value === null ? undefined : text(answer, "title");
      return title === undefined ? silent(state) : says(state, { type: "session.updated", title });
    }
    case "mcp_status":
      return each(silent(state), list(answer, "mcpServers"), tellServer);
    case "interrupt":
      return each(silent(state), idsOf(answer, "cancelled"), cancelQueued);
    case "cancel_async_message": {
      const uuid = flag(answer, "cancelled") === true ? idOf(answer, "message_uuid") : undefined;
      return uuid === undefined ? silent(state) : cancelQueued(state, uuid);
    }
    default:
      return silent(state);
  }
}

function cancelQueued(state: ClaudeState, uuid: string): ClaudeStep {
  const input = state.inputs.find((known) => known.uuid === uuid && !known.joined);
  return input === undefined ? silent(state) : endInput(state, input, "cancelled");
}

function refusedControl(state: ClaudeState, control: ClaudeControl, response: unknown): ClaudeStep {
  const reason = text(response, "error")?.slice(0, 1000) ?? "no reason was given";
  return says(state, {
    type: "diagnostic",
    code: "claude.request-refused",
    severity: "warning",
    message: `Claude Code refused the request "${control.subtype}": ${reason}`,
  });
}

/** A request that could not be written will not be answered. */
export function dropControl(state: ClaudeState, payload: unknown): ClaudeStep {
  const key = requestKey(payload);
  return silent(key === undefined ? state : { ...state, controls: omit(state.controls, key) });
}
