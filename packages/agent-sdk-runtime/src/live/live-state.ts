import type { CLIError } from "./cli-error.ts";
import type { SentLine } from "./input.ts";
import {
  type ClaudeMessage,
  type ClaudeResult,
  isBackgroundResult,
  readResult,
  textField,
} from "./messages.ts";

/** How the session ended. */
export interface LiveEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what the CLI wrote to stderr, secrets taken out. */
  readonly stderrTail: string;
  /** What everybody who still waited was told. */
  readonly error: CLIError;
}

/** What became of a send that carries a uuid. */
export interface SendFate {
  /**
   * `written`: nothing has been heard of it. `unobserved`: this CLI does not tell. `known`: the session
   * had it already, so nothing was run. The others are the CLI's own.
   */
  readonly state: "written" | "queued" | "started" | "completed" | "cancelled" | "known" | "unobserved";
  /** The value of `resultsSeen` that the result which took it up had brought. */
  readonly result?: number;
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
  /** Fates of sends by uuid: all open ones, and the last 256 that are settled. Oldest first. */
  readonly sends: ReadonlyMap<string, SendFate>;
  /** Whether the CLI tells the fate of sends; absent until that is known. */
  readonly tellsFates?: boolean;
  readonly end?: LiveEnd;
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

/** Fates kept of sends that are settled. */
const SETTLED_SENDS = 256;

/** The state after a message of the CLI. */
export function received(state: LiveState, message: ClaudeMessage): LiveState {
  const named = learnt(state, message);
  switch (message.type) {
    case "system":
      return message["subtype"] === "init" ? { ...named, activity: "working" } : named;
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
  const sends = new Map(state.sends);
  sends.delete(uuid);
  sends.set(uuid, { state: state.tellsFates === false ? "unobserved" : "written" });
  return { ...state, sends: trimmed(sends) };
}

/** The state after the end of the process. */
export function ended(state: LiveState, end: LiveEnd): LiveState {
  return { ...state, activity: "ended", asks: [], end };
}

/** Whether nothing more will be heard of a send. */
export function isSettled(fate: SendFate): boolean {
  if (fate.state === "completed") return fate.result !== undefined;
  return fate.state === "cancelled" || fate.state === "known" || fate.state === "unobserved";
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
  const told = message.type === "system" && (subtype === "init" || subtype === "status");
  // Any line names a session. Only the first of a turn renames it: others may be late ones of the old session.
  const names = state.sessionId === undefined || (told && subtype === "init");
  const sessionId = (names ? textField(message, "session_id") : undefined) || state.sessionId;
  const model = (told ? textField(message, "model") : undefined) ?? state.model;
  const permissionMode = (told ? textField(message, "permissionMode") : undefined) ?? state.permissionMode;
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
  if (uuids.length > 0) return withFates(next, uuids, (fate) => ({ ...fate, result: resultsSeen }));
  return state.tellsFates === undefined && state.sends.size > 0 ? unobservable(next) : next;
}

/** A whole turn has passed without a word about the send it answers: this CLI does not tell. */
function unobservable(state: LiveState): LiveState {
  const blind = withFates(state, [...state.sends.keys()], (fate) =>
    fate.state === "written" ? { state: "unobserved" } : fate,
  );
  return { ...blind, tellsFates: false };
}

const STATES: ReadonlySet<string> = new Set(["queued", "started", "completed", "cancelled"]);

function lifecycle(state: LiveState, message: ClaudeMessage): LiveState {
  const uuid = textField(message, "command_uuid");
  const said = textField(message, "state");
  const known = { ...state, tellsFates: true };
  if (uuid === undefined || said === undefined || !STATES.has(said)) return known;
  const next = withFates(known, [uuid], (fate) => {
    // Completed without having been queued: the session had it already.
    if (said === "completed" && fate.state === "written") return { state: "known" };
    return { ...fate, state: said as SendFate["state"] };
  });
  return said === "started" ? { ...next, activity: "working" } : next;
}

function withFates(
  state: LiveState,
  uuids: readonly string[],
  change: (fate: SendFate) => SendFate,
): LiveState {
  const sends = new Map(state.sends);
  for (const uuid of uuids) {
    const fate = sends.get(uuid);
    if (fate !== undefined) sends.set(uuid, change(fate));
  }
  return { ...state, sends: trimmed(sends) };
}

/** Takes out the oldest settled ones that are too many. */
function trimmed(sends: Map<string, SendFate>): LiveState["sends"] {
  if (sends.size <= SETTLED_SENDS) return sends;
  const settled = [...sends].filter(([, fate]) => isSettled(fate));
  for (const [uuid] of settled.slice(0, Math.max(settled.length - SETTLED_SENDS, 0))) sends.delete(uuid);
  return sends;
}

function withoutAsk(state: LiveState, requestId: unknown): LiveState {
  const asks = state.asks.filter((ask) => ask["request_id"] !== requestId);
  return asks.length === state.asks.length ? state : { ...state, asks };
}
