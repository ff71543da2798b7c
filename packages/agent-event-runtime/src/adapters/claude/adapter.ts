import { field, flag, number, text } from "../../base/read.ts";
import type { RateLimitUpdated } from "../../event/agent-runtime-event.ts";
import type { AdapterContext, EventAdapter, RawFrame, WireFrame } from "../../translation/event-adapter.ts";
import { requested, withdrawn } from "./ask-requests.ts";
import { assistantSaid } from "./assistant.ts";
import { type ClaudeState, initialClaudeState } from "./claude-state.ts";
import { responded } from "./controls.ts";
import { reduceHistory } from "./history.ts";
import { endUnobserved } from "./inputs.ts";
import { lifecycle } from "./lifecycle.ts";
import { parseClaudeState } from "./parse-state.ts";
import { at, mainPlace } from "./place.ts";
import { pronounced } from "./results.ts";
import { reduceSent, reduceUnsent } from "./sent.ts";
import { learnName } from "./session.ts";
import {
  type ClaudeHandler,
  type ClaudeStep,
  andThen,
  says,
  silent,
  strayFrame,
  unknownFrame,
} from "./step.ts";
import { streamed } from "./stream.ts";
import { systemSaid } from "./system.ts";
import { settleTasks } from "./tasks.ts";
import { forgetTodos } from "./todos.ts";
import { userSaid } from "./users.ts";

/**
 * Translates the stream-json protocol of the `claude` command (`--input-format stream-json
 * --output-format stream-json`, version 2.1), both directions: one JSON object a line, with partial
 * messages or without, with uuids on what is sent or without.
 */
export const claudeAdapter: EventAdapter<ClaudeState> = {
  id: "claude",
  stateVersion: 2,
  initialState: initialClaudeState,
  parseState: (value, version) => (version === 2 ? parseClaudeState(value) : undefined),
  reduce: reduceFrame,
  // What was told of the end of a task stands when nothing can follow any more.
  finish: settleTasks,
};

function reduceFrame(state: ClaudeState, frame: RawFrame, context: AdapterContext): ClaudeStep {
  switch (frame.kind) {
    case "broken":
      return silent(state); // reported by the translator
    case "quiet":
      return endUnobserved(state);
    case "unsent":
      return reduceUnsent(state, frame);
    case undefined:
      return reduceWire(state, frame, context);
  }
}

function reduceWire(state: ClaudeState, frame: WireFrame, context: AdapterContext): ClaudeStep {
  if (frame.dir === "sent") return reduceSent(state, frame, context);
  const { payload } = frame;
  if (frame.channel === "history") return reduceHistory(state, payload, context);
  if (frame.channel !== "") return unknownFrame(state, `frames of the channel "${frame.channel}"`);
  const type = text(payload, "type");
  if (type === undefined) return strayFrame(state, "A line of the CLI has no type.");
  const handler = TYPES.get(type);
  if (handler === undefined) return unknownFrame(state, `lines of type "${type}"`);
  if (state.facts.nativeSessionId !== null) return handler(state, payload, context);
  return andThen(learnName(state, payload), (known) => handler(known, payload, context));
}

/** The state of the limits of a subscription. The CLI counts its times in seconds. */
const rateLimited: ClaudeHandler = (state, payload) => {
  const info = field(payload, "rate_limit_info");
  const resetsAt = number(info, "resetsAt");
  return says(state, {
    type: "ratelimit.updated",
    status: limitStatus(text(info, "status")),
    ...(resetsAt === undefined ? undefined : { resetsAt: resetsAt * 1000 }),
    ...at(mainPlace(state)),
  });
};

function limitStatus(status: string | undefined): RateLimitUpdated["status"] {
  if (status === "rejected") return "rejected";
  return status === "allowed_warning" ? "warning" : "ok";
}

/** The CLI is logging in, or could not. */
const authChanged: ClaudeHandler = (state, payload) => {
  const error = text(payload, "error");
  const message = error?.slice(0, 1000);
  return says(state, {
    type: "auth.updated",
    status: error !== undefined ? "failed" : flag(payload, "isAuthenticating") === true ? "required" : "ok",
    ...(message === undefined ? undefined : { message }),
  });
};

const known: ClaudeHandler = (state) => silent(state);

const TYPES: ReadonlyMap<string, ClaudeHandler> = new Map<string, ClaudeHandler>([
  ["system", systemSaid],
  ["assistant", assistantSaid],
  ["user", userSaid],
  ["stream_event", streamed],
  ["result", pronounced],
  ["command_lifecycle", lifecycle],
  ["control_request", requested],
  ["control_response", responded],
  ["control_cancel_request", withdrawn],
  ["rate_limit_event", rateLimited],
  ["auth_status", authChanged],
  ["conversation_reset", forgetTodos],
  ["keep_alive", known],
  ["prompt_suggestion", known], // for the CLI's own prompt line
  ["tool_progress", known], // a heartbeat
  ["tool_use_summary", known], // says again what the calls told
  ["transcript_mirror", known], // a copy for the host's own store
]);
