import { field, flag, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import { combineUsage } from "../../event/usage.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { assistantSaid } from "./assistant.ts";
import type { ClaudeHistory, ClaudeState } from "./claude-state.ts";
import { compacted } from "./compaction.ts";
import { blocksOf, idOf, textOf, usageOf } from "./frames.ts";
import { asBoundary, asFrame, asResults, endOfAnswer, endOfInterrupt, kindOfUser } from "./history-rows.ts";
import {
  BEGINNING,
  endHistory,
  isKnown,
  oursOf,
  passed,
  prompted,
  skipped,
  withHistory,
} from "./history-runs.ts";
import { joinNamed } from "./inputs.ts";
import { mainPlace, withRow } from "./place.ts";
import { openRun } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, silent, strayFrame } from "./step.ts";
import { LOCAL_OUTPUT, localOutput, userSaid } from "./users.ts";

/**
 * A frame of the history channel: a row of the CLI's own record of the session, told again by the host that
 * takes over a session whose host died, in the order of the file and at the latest from the prompt of the
 * open turn on; then `{type: "history.end", complete}`, where `complete` says that the file was read to its
 * end. What the log holds is skipped, the rest are the rows that are missing. When they show how the run
 * ended, it ends so. Rows of other types, and those of subagents, are skipped.
 */
export const reduceHistory: ClaudeHandler = (state, row, context) => {
  const type = text(row, "type");
  if (type === undefined) return strayFrame(state, "A row of the CLI's own record has no type.");
  if (type === "history.end") return retold(endHistory(state, row, context));
  const handler = flag(row, "isSidechain") === true ? undefined : ROWS.get(type);
  return handler === undefined ? silent(state) : retold(handler(state, row, context));
};

const assistantRow: ClaudeHandler = (state, row, context) => {
  const next = withHistory(counting(state, row), { end: endOfAnswer(row) });
  return isKnown(next) || next.run === null ? skipped(next, row) : assistantSaid(next, asFrame(row), context);
};

/** The rows of one message repeat its token counts. */
function counting(state: ClaudeState, row: unknown): ClaudeState {
  const { counted, usage } = state.history ?? BEGINNING;
  const message = field(row, "message");
  const id = idOf(message, "id") ?? null;
  const more = usageOf(message);
  if (id === counted || more === undefined) return state;
  return withHistory(state, { counted: id, usage: combineUsage(usage, more) });
}

const userRow: ClaudeHandler = (state, row, context) => {
  const kind = kindOfUser(row);
  if (oursOf(state, row).length > 0) {
    const step = prompted(state, row, context);
    return kind === "command" ? { ...step, state: withHistory(step.state, { end: "command" }) } : step;
  }
  switch (kind) {
    case "prompt":
      return prompted(state, row, context);
    case "notification":
      return isKnown(state)
        ? skipped(withHistory(state, BEGINNING), row)
        : andThen(passed(state, context), (left) => openRun(left, context, "harness"));
    case "output":
      return printed(state, row, textOf(blocksOf(field(row, "message"))));
    case "interrupt":
      return goesOn(state, row, endOfInterrupt(row), (next) => userSaid(next, asFrame(row), context));
    case "words":
      return goesOn(state, row, "open", (next) => userSaid(next, asFrame(row), context));
    case "results":
      return goesOn(state, row, "open", (next) => resultsCame(next, row, context));
    case "command": // a change of settings, which nobody sent as such
    case "aside":
      return silent(state);
  }
};

/** The row is of the open run, which is what the row makes of it. */
function goesOn(
  state: ClaudeState,
  row: unknown,
  end: ClaudeHistory["end"],
  next: (state: ClaudeState) => ClaudeStep,
): ClaudeStep {
  const noted = withHistory(state, { end });
  return isKnown(noted) || noted.run === null ? skipped(noted, row) : next(noted);
}

function resultsCame(state: ClaudeState, row: unknown, context: AdapterContext): ClaudeStep {
  const frame = asResults(state, row);
  return blocksOf(field(frame, "message")).length === 0
    ? withRow(silent(state), mainPlace(state), row)
    : userSaid(state, frame, context);
}

/** What a command printed: if it is the one that was sent, no answer follows. */
function printed(state: ClaudeState, row: unknown, said: string): ClaudeStep {
  if (state.history?.end !== "command") return skipped(state, row);
  const [, stream, output = ""] = LOCAL_OUTPUT.exec(said) ?? [];
  return goesOn(state, row, "handled", (next) => localOutput(next, stream === "err", output));
}

/** An input that came up while the run went on is kept as an attachment. */
const attachmentRow: ClaudeHandler = (state, row) => {
  const attachment = field(row, "attachment");
  const uuid = idOf(attachment, "source_uuid");
  const queued = text(attachment, "type") === "queued_command" && uuid !== undefined;
  return queued ? joinNamed(state, [uuid]) : silent(state);
};

const systemRow: ClaudeHandler = (state, row, context) => {
  switch (text(row, "subtype")) {
    case "local_command":
      return printed(state, row, text(row, "content") ?? "");
    case "compact_boundary":
      return state.compaction === null ? silent(state) : compacted(state, asBoundary(row), context);
    default:
      return silent(state);
  }
};

const ROWS: ReadonlyMap<string, ClaudeHandler> = new Map<string, ClaudeHandler>([
  ["assistant", assistantRow],
  ["user", userRow],
  ["attachment", attachmentRow],
  ["system", systemRow],
]);

/** What fills the transcript is history. The rest is news: that something ended, and how things stand. */
const TOLD_AGAIN: ReadonlySet<string> = new Set([
  "message",
  "part",
  "tool",
  "file",
  "usage",
  "notice",
  "compaction",
]);

function retold({ state, events }: ClaudeStep): ClaudeStep {
  return { state, events: events.map(marked) };
}

function marked(draft: EventDraft): EventDraft {
  const [noun = ""] = draft.type.split(".");
  return TOLD_AGAIN.has(noun) ? { ...draft, replayed: true } : draft;
}
