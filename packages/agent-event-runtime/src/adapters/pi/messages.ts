import { field, flag, text } from "../../base/read.ts";
import { endAssistant, startAssistant } from "./assistant-messages.ts";
import { contentText } from "./frames.ts";
import type { PiState } from "./pi-state.ts";
import { type PiHandler, type PiStep, inRun, says, silent, strayFrame, unknownFrame } from "./step.ts";
import { toolResult } from "./tools.ts";
import { endUser, startUser } from "./user-messages.ts";

/** Roles whose messages speak of nothing that other events do not tell. */
const SILENT_ROLES: ReadonlySet<string> = new Set([
  "system", // instructions and tool definitions
  "bashExecution", // the answer to the bash command told it
  "branchSummary", // of the session tree, which has no view
  "compactionSummary", // compaction_end told it
]);

/** `message_start`. */
export const messageStarted: PiHandler = (state, payload, context) => {
  const message = field(payload, "message");
  const role = text(message, "role");
  switch (role) {
    case "user":
      return startUser(state, message, context);
    case "assistant":
      return startAssistant(state, context);
    case "toolResult":
    case "custom":
      return silent(state);
    default:
      return otherRole(state, role);
  }
};

/** `message_end`: pi now writes the message to its session file, which is what `seen` counts. */
export const messageEnded: PiHandler = (state, payload, context) => {
  const message = field(payload, "message");
  const role = text(message, "role");
  switch (role) {
    case "user":
      return counted(endUser(state, message, context));
    case "assistant":
      return counted(endAssistant(state, message, context));
    case "toolResult":
      return counted(toolResult(state, message));
    case "custom":
      return notice(state, message);
    default:
      return otherRole(state, role);
  }
};

function counted(step: PiStep): PiStep {
  return { ...step, state: { ...step.state, seen: step.state.seen + 1 } };
}

function notice(state: PiState, message: unknown): PiStep {
  const said = contentText(message, "\n");
  return flag(message, "display") === true && said !== ""
    ? says(state, { type: "notice.added", level: "info", text: said, ...inRun(state) })
    : silent(state);
}

function otherRole(state: PiState, role: string | undefined): PiStep {
  if (role === undefined) return strayFrame(state, "A message of pi has no role.");
  return SILENT_ROLES.has(role) ? silent(state) : unknownFrame(state, `messages of role "${role}"`);
}
