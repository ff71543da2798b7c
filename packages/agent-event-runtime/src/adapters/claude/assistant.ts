import { fingerprint } from "../../base/fingerprint.ts";
import { lookup } from "../../base/keyed-list.ts";
import { field, flag, number, record, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeMessage, ClaudeState } from "./claude-state.ts";
import { blocksOf, idOf, textOf } from "./frames.ts";
import {
  closeMessage,
  forgetMessage,
  openMessage,
  placeOfMessage,
  tellUsage,
  withMessage,
} from "./messages.ts";
import { hasText, partKind, tellBlock } from "./parts.ts";
import { type Place, withRow } from "./place.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, each, silent, strayFrame } from "./step.ts";
import { inAgent } from "./tasks.ts";

/** The model's name on messages that the CLI wrote itself. */
const SYNTHETIC = "<synthetic>";

/** `assistant`: one or more whole blocks of a message, which further frames may continue. */
export const assistantSaid: ClaudeHandler = (state, payload, context) => {
  const message = record(field(payload, "message"));
  if (message === undefined) return strayFrame(state, "The CLI sent an assistant frame without a message.");
  return inAgent(state, payload, context, (known, place) =>
    withRow(tellMessage(known, place, payload, context), place, payload),
  );
};

function tellMessage(
  state: ClaudeState,
  place: Place,
  payload: unknown,
  context: AdapterContext,
): ClaudeStep {
  const said = field(payload, "message");
  const vendorId = idOf(said, "id");
  const current = lookup(state.messages, place.key);
  const continues = current !== undefined && vendorId !== undefined && current.vendorId === vendorId;
  const again = continues && (!current.ended || tellsNothing(current, said));
  if (!again && place.late && vendorId !== undefined && context.wasEnded("message", vendorId)) {
    return strayFrame(state, "The CLI repeated a message of what is over.");
  }
  const opening = {
    vendorId: continues ? undefined : vendorId,
    streamed: false,
    synthetic: text(said, "model") === SYNTHETIC || failureOf(payload) !== undefined,
  };
  const opened = again ? silent(state) : openMessage(state, payload, place, context, opening);
  const blocks = blocksOf(said);
  const repeats = again && (current.streamed || blocks.length > 1 || current.frame === frameOf(payload));
  const told = andThen(opened, (open) =>
    each(silent(noted(open, place, payload)), blocks, (from, block) =>
      tellBlock(from, placeOfMessage(from, place), block, repeats, context),
    ),
  );
  const counted = andThen(told, (open) => tellUsage(open, placeOfMessage(open, place), modelled(said)));
  return place.late
    ? forgetMessage(
        andThen(counted, (open) => closeMessage(open, place.key, "completed")),
        place.key,
      )
    : counted;
}

/** Whether a message that is over is only repeated. */
function tellsNothing(message: ClaudeMessage, said: unknown): boolean {
  return blocksOf(said).every((block) => {
    const kind = partKind(text(block, "type") ?? "");
    return kind !== "text" && kind !== "reasoning"
      ? true
      : hasText(message, kind, fingerprint(text(block, kind === "text" ? "text" : "thinking") ?? ""));
  });
}

/** What the frame says about the message as a whole. */
function noted(state: ClaudeState, place: Place, payload: unknown): ClaudeState {
  const message = lookup(state.messages, place.key);
  if (message === undefined) return state;
  const aborted = message.aborted || flag(payload, "aborted") === true;
  const error = failureOf(payload) ?? message.error;
  return withMessage(state, place.key, { ...message, whole: true, aborted, error, frame: frameOf(payload) });
}

/** The CLI puts its own words about a failed model call in place of an answer. */
function failureOf(payload: unknown): ClaudeMessage["error"] | undefined {
  const code = text(payload, "error");
  if (code === undefined && flag(payload, "is_api_error_message") !== true) return undefined;
  const status = number(payload, "api_error_status");
  return {
    message: textOf(blocksOf(field(payload, "message"))).slice(0, 4000) || (code ?? "The model call failed."),
    ...(code === undefined ? undefined : { code: code.slice(0, 100) }),
    ...(status === undefined ? undefined : { status }),
  };
}

/** The message without the name that stands for no model. */
function modelled(said: unknown): unknown {
  return text(said, "model") === SYNTHETIC ? undefined : said;
}

function frameOf(payload: unknown): string | null {
  return idOf(payload, "uuid") ?? null;
}
