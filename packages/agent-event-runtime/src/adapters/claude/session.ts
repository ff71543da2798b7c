import { fingerprint } from "../../base/fingerprint.ts";
import { assign, lookup } from "../../base/keyed-list.ts";
import { field, list, text } from "../../base/read.ts";
import type { EventDraft, McpUpdated, SessionUpdated } from "../../event/agent-runtime-event.ts";
import type { ClaudeFacts, ClaudeState } from "./claude-state.ts";
import { idsOf } from "./frames.ts";
import { joinNamed } from "./inputs.ts";
import { ensureRun } from "./runs.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, each, says, silent } from "./step.ts";

/** Ids that may be kept, and handed to the CLI again. */
const NATIVE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** `system/init`: the CLI begins a turn, and says what session this is. */
export const initialised: ClaudeHandler = (state, payload, context) => {
  const uuids = idsOf(payload, "user_message_uuids");
  const steps: readonly ((from: ClaudeState) => ClaudeStep)[] = [
    (from) => tellNativeId(from, payload),
    (from) => tellFacts(from, factsOf(payload)),
    (from) => each(silent(from), list(payload, "mcp_servers"), tellServer),
    (from) => ensureRun(from, context, uuids),
    (from) => joinNamed(from, uuids),
  ];
  return steps.reduce((step, next) => andThen(step, next), silent(state));
};

function tellNativeId(state: ClaudeState, payload: unknown): ClaudeStep {
  const id = field(payload, "session_id");
  if (typeof id === "string" && NATIVE_ID.test(id)) return nameSession(state, id);
  return says(state, {
    type: "diagnostic",
    code: "claude.malformed-session-id",
    severity: "warning",
    message: "The CLI named its session by something that is no session id; it was ignored.",
  });
}

/** Any frame may be the first to name the session; only `init` changes the name. */
function nameSession(state: ClaudeState, id: string): ClaudeStep {
  if (id === state.facts.nativeSessionId) return silent(state);
  return says(withFacts(state, { nativeSessionId: id }), { type: "harness.updated", nativeSessionId: id });
}

/** The session's name, where the frame is the first to tell it. */
export function learnName(state: ClaudeState, payload: unknown): ClaudeStep {
  const id = text(payload, "session_id");
  return id === undefined || !NATIVE_ID.test(id) ? silent(state) : nameSession(state, id);
}

/** What a frame says of the session. */
export interface Told {
  readonly model?: string | undefined;
  readonly mode?: string | undefined;
  readonly cwd?: string | undefined;
  readonly commands?: readonly string[] | undefined;
}

function factsOf(payload: unknown): Told {
  const commands = field(payload, "slash_commands");
  return {
    model: text(payload, "model"),
    mode: text(payload, "permissionMode"),
    cwd: text(payload, "cwd"),
    commands: Array.isArray(commands) ? commands.filter((name) => typeof name === "string") : undefined,
  };
}

/** Tells of the session what is new. */
export function tellFacts(state: ClaudeState, { model, mode, cwd, commands }: Told): ClaudeStep {
  const { facts } = state;
  const mark = commands === undefined ? facts.commands : fingerprint(commands.join("\n"));
  const news: Omit<SessionUpdated, "type"> = {
    ...(model === undefined || model === facts.model ? undefined : { model }),
    ...(mode === undefined || mode === facts.mode ? undefined : { mode }),
    ...(cwd === undefined || cwd === facts.cwd ? undefined : { cwd }),
    ...(commands === undefined || mark === facts.commands ? undefined : { commands }),
  };
  if (Object.keys(news).length === 0) return silent(state);
  const next = {
    model: model ?? facts.model,
    mode: mode ?? facts.mode,
    cwd: cwd ?? facts.cwd,
    commands: mark,
  };
  return says(withFacts(state, next), { type: "session.updated", ...news });
}

function withFacts(state: ClaudeState, news: Partial<ClaudeFacts>): ClaudeState {
  return { ...state, facts: { ...state.facts, ...news } };
}

const SERVER_STATES: ReadonlyMap<string, McpUpdated["status"]> = new Map([
  ["connected", "connected"],
  ["pending", "connecting"],
  ["failed", "failed"],
  ["needs-auth", "failed"],
  ["disabled", "disabled"],
]);

/** The state of an MCP server, when it is new. What went wrong may be told later than that something did. */
export function tellServer(state: ClaudeState, server: unknown): ClaudeStep {
  const name = text(server, "name")?.slice(0, 200);
  const said = text(server, "status");
  const status = said === undefined ? undefined : SERVER_STATES.get(said);
  if (name === undefined || said === undefined || status === undefined) return silent(state);
  const known = lookup(state.mcp, name);
  const message = text(server, "error") ?? (said === "needs-auth" ? "It needs a login." : undefined);
  const mark = message === undefined ? null : fingerprint(message);
  if (known?.status === said && (mark === null || mark === known.message)) return silent(state);
  const mcp = assign(state.mcp, name, { status: said, message: mark }).slice(-MAX_SERVERS);
  const event: EventDraft = {
    type: "mcp.updated",
    server: name,
    status,
    ...(message === undefined ? undefined : { message: message.slice(0, 1000) }),
  };
  return says({ ...state, mcp }, event);
}

const MAX_SERVERS = 100;
