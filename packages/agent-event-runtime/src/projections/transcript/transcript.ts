import { type EventHandlers, type Projection, dispatch } from "../../projection/projection.ts";
import * as asks from "./ask-rows.ts";
import * as inputs from "./input-rows.ts";
import * as messages from "./message-rows.ts";
import * as notices from "./notice-rows.ts";
import type { TranscriptRow } from "./rows.ts";
import * as tools from "./tool-rows.ts";
import {
  type TranscriptState,
  type TranscriptStep,
  initialTranscript,
  parseTranscript,
  quietly,
} from "./transcript-state.ts";

/**
 * The session as rows to read from top to bottom: what the user said, what the agent said and did, how
 * each turn ended. Its output is whole rows to write under their `rowId`; a row is written when it is
 * complete (a user's input also when it is new) and then leaves the state. Rows under way: `openRows`.
 */
export const transcript: Projection<TranscriptState, TranscriptRow> = {
  id: "transcript",
  stateVersion: 1,
  initialState: initialTranscript,
  parseState: parseTranscript,
  project: (state, event) => dispatch(HANDLERS, state, event),
};

/** The rows that are not whole yet, in order of opening, for views of a running session. */
export function openRows(state: TranscriptState): readonly TranscriptRow[] {
  return state.open.map(([, row]) => row).toSorted((a, b) => a.ordinal - b.ordinal);
}

const hidden = (state: TranscriptState): TranscriptStep => quietly(state);

const HANDLERS: EventHandlers<TranscriptState, TranscriptRow> = {
  "session.updated": hidden,
  "session.status": hidden,
  "session.deleted": hidden,
  "recovery.started": hidden,
  "recovery.ended": hidden,
  "harness.started": hidden,
  "harness.updated": hidden,
  "harness.ended": notices.harnessEnded,
  "turn.queued": inputs.turnQueued,
  "turn.started": hidden,
  "turn.ended": inputs.turnEnded,
  "run.started": hidden,
  "run.ended": notices.runEnded,
  "input.sent": inputs.inputSent,
  "input.joined": inputs.inputJoined,
  "input.ended": inputs.inputEnded,
  "message.started": messages.messageStarted,
  "message.delta": messages.messageDelta,
  "part.added": messages.partAdded,
  "part.ended": messages.partEnded,
  "message.ended": messages.messageEnded,
  "tool.started": tools.toolStarted,
  "tool.input.delta": hidden, // the input comes whole with tool.updated
  "tool.updated": tools.toolUpdated,
  "tool.output.delta": tools.toolOutput,
  "tool.ended": tools.toolEnded,
  "tool.amended": tools.toolAmended,
  "file.changed": tools.fileChanged,
  "plan.updated": notices.planUpdated,
  "todo.updated": notices.todoUpdated,
  "permission.requested": asks.permissionRequested,
  "permission.ended": asks.permissionEnded,
  "question.requested": asks.questionRequested,
  "question.ended": asks.questionEnded,
  "task.started": asks.taskStarted,
  "task.updated": asks.taskUpdated,
  "task.ended": asks.taskEnded,
  "usage.updated": hidden, // the verdict of the turn sums it up
  "ratelimit.updated": notices.rateLimitUpdated,
  "retry.scheduled": notices.retryScheduled,
  "compaction.started": hidden,
  "compaction.ended": notices.compactionEnded,
  "auth.updated": notices.authUpdated,
  "mcp.updated": notices.mcpUpdated,
  "notice.added": notices.noticeAdded,
  diagnostic: notices.diagnostic,
};
