import { field, flag, record, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState } from "./claude-state.ts";
import { blocksOf, imageOf, textOf } from "./frames.ts";
import { echo, markDue } from "./inputs.ts";
import { leaveMessage } from "./messages.ts";
import { type Place, at, isLastRow, mainPlace, withRow } from "./place.ts";
import { amendRun } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, each, says, silent, strayFrame } from "./step.ts";
import { inAgent } from "./tasks.ts";
import { toolResult } from "./tool-results.ts";

/** `user`: results of tool calls, an echo of an input, or words that the CLI put in. */
export const userSaid: ClaudeHandler = (state, payload, context) => {
  const message = record(field(payload, "message"));
  const blocks = blocksOf(message);
  if (blocks.length === 0) return strayFrame(state, "The CLI sent a user frame without content.");
  const results = blocks.filter(isResult);
  const words = blocks.filter((block) => !isResult(block));
  return inAgent(state, payload, context, (known, place) => {
    if (isLastRow(known, place, payload)) return silent(known);
    const alone = results.length === 1 ? payload : undefined;
    const ended = each(silent(known), results, (open, block) =>
      toolResult(open, place, block, alone, context),
    );
    const folded = results.length > 0 && place.key === "" ? foldIn(ended) : ended;
    const ready = results.length > 0 ? withRow(folded, place, payload) : folded;
    return words.length === 0
      ? ready
      : andThen(ready, (open) => tellWords(open, place, payload, words, context));
  });
};

/** Whether the block says what came of a call. */
export function isResult(block: unknown): boolean {
  return text(block, "type")?.endsWith("tool_result") === true;
}

/** A tool round ends: what waits, inputs and ends of background work alike, goes into the next model call. */
function foldIn(step: ClaudeStep): ClaudeStep {
  const due = markDue(step.state);
  return { ...step, state: due.notified === 0 ? due : { ...due, notified: 0 } };
}

/** How the CLI marks that it was interrupted. */
export const INTERRUPTED = "[Request interrupted by user";
/** What a command of the CLI's own printed. */
export const LOCAL_OUTPUT: RegExp = /^<local-command-std(out|err)>([^]*)<\/local-command-std(?:out|err)>$/;

function tellWords(
  state: ClaudeState,
  place: Place,
  payload: unknown,
  words: readonly unknown[],
  context: AdapterContext,
): ClaudeStep {
  const said = textOf(words);
  const replay = flag(payload, "isReplay") === true;
  const local = replay ? LOCAL_OUTPUT.exec(said) : null;
  if (local !== null) return localOutput(state, local[1] === "err", local[2] ?? "");
  if (!replay && said.startsWith(INTERRUPTED)) {
    return withRow(silent(place.key === "" ? amendRun(state, { interrupted: true }) : state), place, payload);
  }
  const ours = place.key === "" && flag(payload, "isSynthetic") !== true;
  const { step, input } = ours ? echo(state, payload, said) : { step: silent(state) };
  return andThen(step, (open) => {
    const before = leaveMessage(open, place.key);
    const where = place.key === "" ? mainPlace(open) : place;
    const about = input !== undefined ? { inputId: input.inputId } : replay && ours ? {} : SYNTHETIC;
    const own = input?.holdsMore === true ? [] : words; // input.sent has the user's own
    const told = tellUserMessage(`m${context.frame}`, about, own, where);
    const after = andThen(before, (left) => says(left, ...told));
    return replay ? after : withRow(after, place, payload); // an echo need not have a row of its own
  });
}

/** Tells what a command of the CLI's own printed. */
export function localOutput(state: ClaudeState, failed: boolean, output: string): ClaudeStep {
  const shown = output.trim();
  if (shown === "") return silent(state);
  return says(state, {
    type: "notice.added",
    level: failed ? "warning" : "info",
    text: shown,
    ...at(mainPlace(state)),
  });
}

/** Nobody typed it. */
const SYNTHETIC = { synthetic: true } as const;

/** A user message is whole at once. */
function tellUserMessage(
  messageId: string,
  about: { readonly inputId?: string; readonly synthetic?: true },
  words: readonly unknown[],
  place: Place,
): readonly EventDraft[] {
  const parts = words.flatMap((block, index): readonly EventDraft[] => {
    const partId = `${messageId}/${index}`;
    const image = imageOf(block);
    if (image !== undefined) {
      const { mediaType, data } = image;
      return [{ type: "part.added", messageId, partId, kind: "image", mediaType, data }];
    }
    const said = text(block, "type") === "text" ? text(block, "text") : undefined;
    return said === undefined ? [] : [{ type: "part.ended", messageId, partId, kind: "text", text: said }];
  });
  return [
    {
      type: "message.started",
      messageId,
      role: "user",
      ...about,
      ...at(place),
    },
    ...parts,
    { type: "message.ended", messageId, outcome: "completed" },
  ];
}
