import { list } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { contentText, images } from "./frames.ts";
import { endPassedOver, joinInput } from "./inputs.ts";
import { openMessage, partId } from "./parts.ts";
import type { PiState } from "./pi-state.ts";
import { ensureRun } from "./runs.ts";
import { type PiStep, andThen, says, silent } from "./step.ts";

/** A user message: the echo of an input, or one that nobody here sent. It comes whole. */
export function startUser(state: PiState, message: unknown, context: AdapterContext): PiStep {
  return andThen(ensureRun(state, context), (running) => {
    const anyWaiting = running.inputs.some((input) => !input.joined);
    const echo = joinInput(running, contentText(message));
    const inputId = echo.input?.inputId;
    const passed = endPassedOver(echo.state, running, inputId);
    const about = inputId !== undefined ? { inputId } : anyWaiting ? {} : { synthetic: true as const };
    const runId = running.run?.runId ?? "";
    const joined: readonly EventDraft[] =
      inputId === undefined ? [] : [{ type: "input.joined", inputId, runId }];
    const opened = andThen(passed, (rest) => openMessage(rest, context, "user", about));
    const told = says(opened.state, ...opened.events, ...joined);
    if (echo.input?.holdsMore === true) return told; // input.sent has the user's own words
    return andThen(told, (open) => userParts(open, message));
  });
}

function userParts(state: PiState, message: unknown): PiStep {
  const open = state.message;
  if (open === null) return silent(state);
  const said = contentText(message);
  const { messageId } = open;
  const added = images(list(message, "content")).map(({ mediaType, data }, index): EventDraft => ({
    type: "part.added",
    messageId,
    partId: partId(open, index + 1),
    kind: "image",
    mediaType,
    data,
  }));
  if (said === "") return says(state, ...added);
  return says(
    state,
    { type: "part.ended", messageId, partId: partId(open, 0), kind: "text", text: said },
    ...added,
  );
}

/** The user message is over; it is told now if its start was missing. */
export function endUser(state: PiState, message: unknown, context: AdapterContext): PiStep {
  return andThen(
    state.message?.role === "user" ? silent(state) : startUser(state, message, context),
    (open) =>
      open.message === null
        ? silent(open)
        : says(
            { ...open, message: null },
            {
              type: "message.ended",
              messageId: open.message.messageId,
              outcome: "completed",
            },
          ),
  );
}
