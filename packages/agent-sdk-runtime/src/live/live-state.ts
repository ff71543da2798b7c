import type { ArchiveReport } from "./archive/archive-report.ts";
import type { CLIError } from "./cli-error.ts";
import type { SentLine } from "./input.ts";
import {
  type ClaudeMessage,
  type ClaudeResult,
  isBackgroundResult,
  readResult,
  textField,
} from "./messages.ts";
import { consumed, type SendFates, told, unobserved, written } from "./send-fates.ts";

/** How the session ended. */
export interface LiveEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what the CLI wrote to stderr, secrets taken out. */
  readonly stderrTail: string;
  /** What everybody who still waited was told. */
  readonly error: CLIError;
}

/** What can be read of a session at any time. Every counter only grows. */
export interface LiveState {
  /** What the CLI was last seen doing; `starting` until it answers. Not a promise that it is at rest. */
  readonly activity: "starting" | "idle" | "working" | "ended";
  /** As the CLI names it; a later one (`/clear`) replaces it. */
  readonly sessionId?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  /** Results that answer somebody: those of slash commands, and of failed and interrupted turns, included. */
  readonly resultsSeen: number;
  readonly lastResult?: ClaudeResult;
  /** Results of turns that the CLI began by itself when background work ended. */
  readonly backgroundResults: number;
  readonly lastBackgroundResult?: ClaudeResult;
  /** Lines that were no messages. */
  readonly unparsedLines: number;
  /** Messages that readers of `events` were too slow for. */
  readonly droppedEvents: number;
  /** Requests of the CLI that wait for an answer, in order, as they came. */
  readonly asks: readonly ClaudeMessage[];
  readonly sends: SendFates;
  /** Whether the CLI tells the fate of sends; absent until that is known. */
  readonly tellsFates?: boolean;
  /** Sends that were written when the running turn began: the ones that it can be about. */
  readonly sentBefore?: SendFates;
  readonly end?: LiveEnd;
  /** What the last pass of the archive has done and could not do; there once `close` has resolved. */
  readonly archive?: ArchiveReport;
}

/** The state of a session that has just been started. */
export const initialLiveState: LiveState = {
  activity: "starting",
  resultsSeen: 0,
  backgroundResults: 0,
  unparsedLines: 0,
  droppedEvents: 0,
  asks: [],
  sends: new Map(),
};

/** The state after a message of the CLI. */
export function received(state: LiveState, message: ClaudeMessage): LiveState {
  const named = learnt(state, message);
  switch (message.type) {
    case "system":
      return message["subtype"] === "init" ? begun(named) : named;
    case "assistant":
    case "stream_event":
      return isMain(message) && named.activity !== "working" ? { ...named, activity: "working" } : named;
    case "result":
      return resulted(named, message);
    case "command_lifecycle":
      return lifecycle(named, message);
    case "control_request":
      return isAsk(message) ? { ...named, asks: [...named.asks, message] } : named;
    case "control_cancel_request":
      return withoutAsk(named, message["request_id"]);
    case "control_response":
      return named.activity === "starting" ? { ...named, activity: "idle" } : named;
    default:
      return named;
  }
}

/** The state after a line that was no message. */
export function receivedUnparsed(state: LiveState): LiveState {
  return { ...state, unparsedLines: state.unparsedLines + 1 };
}

/** The state after a line to the CLI. */
export function sent(state: LiveState, line: SentLine): LiveState {
  if (line.type === "control_response") return withoutAsk(state, line.response.request_id);
  const uuid = line.type === "user" ? line.uuid : undefined;
  if (uuid === undefined) return state;
  return { ...state, sends: written(state.sends, uuid, state.tellsFates !== false) };
}

/** The state after the end of the process. */
export function ended(state: LiveState, end: LiveEnd): LiveState {
  return { ...state, activity: "ended", asks: [], end };
}

/** Not of a subagent, which may be at work while the session rests. */
function isMain(message: ClaudeMessage): boolean {
  return typeof message["parent_tool_use_id"] !== "string";
}

/** Whether a request of the CLI is for a person; the others are for programs of the host. */
function isAsk(message: ClaudeMessage): boolean {
  const subtype = textField(message["request"], "subtype");
  return subtype !== "hook_callback" && subtype !== "mcp_message";
}

/** What a message says of the session itself. */
function learnt(state: LiveState, message: ClaudeMessage): LiveState {
  const { subtype } = message;
  const isSaid = message.type === "system" && (subtype === "init" || subtype === "status");
  // Any line names a session. Only the first of a turn renames it: others may be late ones of the old session.
  const names = state.sessionId === undefined || (isSaid && subtype === "init");
  const sessionId = (names ? textField(message, "session_id") : undefined) || state.sessionId;
  const model = (isSaid ? textField(message, "model") : undefined) ?? state.model;
  const permissionMode = (isSaid ? textField(message, "permissionMode") : undefined) ?? state.permissionMode;
  const same =
    sessionId === state.sessionId && model === state.model && permissionMode === state.permissionMode;
  if (same) return state;
  return {
    ...state,
    ...(sessionId === undefined ? undefined : { sessionId }),
    ...(model === undefined ? undefined : { model }),
    ...(permissionMode === undefined ? undefined : { permissionMode }),
  };
}

function resulted(state: LiveState, message: ClaudeMessage): LiveState {
  const result = readResult(message);
  if (result === undefined) return state;
  if (isBackgroundResult(result)) {
    const backgroundResults = state.backgroundResults + 1;
    return { ...state, activity: "idle", backgroundResults, lastBackgroundResult: result };
  }
  const resultsSeen = state.resultsSeen + 1;
  const next = { ...state, activity: "idle" as const, resultsSeen, lastResult: result };
  const uuids = result.user_message_uuids ?? [];
  if (uuids.length > 0) return { ...next, sends: consumed(state.sends, uuids, resultsSeen) };
  // A whole turn has passed without a word about the sends before it: this CLI does not tell.
  const isMute = state.tellsFates === undefined && (state.sentBefore?.size ?? 0) > 0;
  return isMute ? { ...next, tellsFates: false, sends: unobserved(state.sends) } : next;
}

/** A turn begins. */
function begun(state: LiveState): LiveState {
  return { ...state, activity: "working", sentBefore: state.sends };
}

function lifecycle(state: LiveState, message: ClaudeMessage): LiveState {
  const uuid = textField(message, "command_uuid");
  const said = textField(message, "state");
  const next = { ...state, tellsFates: true };
  if (uuid === undefined || said === undefined) return next;
  const sends = told(state.sends, uuid, said);
  return { ...next, sends, ...(said === "started" ? { activity: "working" } : undefined) };
}

function withoutAsk(state: LiveState, requestId: unknown): LiveState {
  const asks = state.asks.filter((ask) => ask["request_id"] !== requestId);
  return asks.length === state.asks.length ? state : { ...state, asks };
}
