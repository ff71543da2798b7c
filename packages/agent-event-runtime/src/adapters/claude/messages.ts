import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { text } from "../../base/read.ts";
import type { MessageOutcome } from "../../event/event-values.ts";
import { combineUsage } from "../../event/usage.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeMessage, ClaudePart, ClaudeState } from "./claude-state.ts";
import { idsOf, sameCounts, usageOf } from "./frames.ts";
import { joinDue, joinNamed } from "./inputs.ts";
import { type Place, at, freshId, mainPlace } from "./place.ts";
import { amendRun, ensureRun } from "./runs.ts";
import { type ClaudeStep, andThen, says, silent } from "./step.ts";
import { endTools } from "./tools.ts";

/** What a frame says of a message that it opens. */
export interface Opening {
  readonly vendorId: string | undefined;
  readonly streamed: boolean;
  readonly synthetic: boolean;
}

/** Opens the next message of an agent; the one before is over. */
export function openMessage(
  state: ClaudeState,
  payload: unknown,
  place: Place,
  context: AdapterContext,
  { vendorId, streamed, synthetic }: Opening,
): ClaudeStep {
  const before = andThen(leaveMessage(state, place.key), (left) =>
    place.key === "" && !place.late ? beginWork(left, payload, context) : silent(left),
  );
  const messageId = vendorId === undefined ? `m${context.frame}` : freshId(context, "message", vendorId);
  const message: ClaudeMessage = {
    vendorId: vendorId ?? null,
    messageId,
    streamed,
    ended: false,
    whole: false,
    aborted: false,
    error: null,
    model: null,
    usage: null,
    frame: null,
    parts: [],
  };
  return andThen(before, (open) =>
    says(withMessage(open, place.key, message), {
      type: "message.started",
      messageId,
      role: "assistant",
      ...(synthetic ? { synthetic: true } : undefined),
      ...at(placeOfMessage(open, place)),
    }),
  );
}

/** The main agent speaks: a run is open, it is about the inputs that the frame names, and it has worked. */
function beginWork(state: ClaudeState, payload: unknown, context: AdapterContext): ClaudeStep {
  const uuids = idsOf(payload, "user_message_uuids");
  const named = andThen(ensureRun(state, context, uuids), (open) => joinNamed(open, uuids));
  const ready = andThen(named, joinDue);
  return ready.state.run?.worked ? ready : { ...ready, state: amendRun(ready.state, { worked: true }) };
}

/**
 * The agent goes on to something else: its message is over. One that only streamed was an attempt that
 * failed.
 */
export function leaveMessage(state: ClaudeState, key: string): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined || message.ended) return silent(state);
  return message.streamed && !message.whole ? dropAttempt(state, key) : closeMessage(state, key, "completed");
}

/** A model call broke off and is made again: its message counts for nothing, and its calls never ran. */
export function dropAttempt(state: ClaudeState, key: string): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined || message.ended || !message.streamed) return silent(state);
  const calls = message.parts.flatMap(([, part]) =>
    part.kind === "tool" && part.mark !== null ? [part.mark] : [],
  );
  const dropped = endTools(state, (tool, id) => !tool.whole && calls.includes(id), "abandoned");
  return andThen(dropped, (open) => closeMessage(open, key, "superseded"));
}

/** Ends the message of an agent, if it is open. What it says of itself goes before `outcome`. */
export function closeMessage(state: ClaudeState, key: string, outcome: MessageOutcome): ClaudeStep {
  const message = lookup(state.messages, key);
  if (message === undefined || message.ended) return silent(state);
  const { messageId, model, usage, error, aborted } = message;
  return says(withMessage(state, key, { ...message, ended: true }), {
    type: "message.ended",
    messageId,
    outcome: error !== null ? "failed" : aborted ? "cancelled" : outcome,
    ...(model === null ? undefined : { model }),
    ...(usage === null ? undefined : { usage }),
    ...(error === null ? undefined : { error }),
  });
}

/** The step, after which nothing is remembered of that agent's message. */
export function forgetMessage(step: ClaudeStep, key: string): ClaudeStep {
  return { ...step, state: { ...step.state, messages: omit(step.state.messages, key) } };
}

/**
 * What a message, or the news of one, says of its tokens and its model: the last word counts, and nothing
 * is taken back.
 */
export function tellUsage(state: ClaudeState, place: Place, said: unknown): ClaudeStep {
  const message = lookup(state.messages, place.key);
  if (message === undefined) return silent(state);
  const told = usageOf(said);
  const model = text(said, "model") ?? message.model;
  const usage = told === undefined ? message.usage : combineUsage(message.usage ?? {}, told, Math.max);
  const next = model === message.model ? message : { ...message, model };
  if (usage === null || (message.usage !== null && sameCounts(usage, message.usage))) {
    return silent(next === message ? state : withMessage(state, place.key, next));
  }
  return says(withMessage(state, place.key, { ...next, usage }), {
    type: "usage.updated",
    scope: "message",
    semantics: "cumulative",
    messageId: message.messageId,
    usage,
    ...at(place),
  });
}

/** The place of the blocks of a message: a main one is in the open run. */
export function placeOfMessage(state: ClaudeState, place: Place): Place {
  return place.key === "" && !place.late ? mainPlace(state) : place;
}

/** The state with that agent's message changed. */
export function withMessage(state: ClaudeState, key: string, message: ClaudeMessage): ClaudeState {
  return { ...state, messages: assign(state.messages, key, message) };
}

/** The state with a part of that agent's message changed. */
export function withPart(state: ClaudeState, key: string, index: string, part: ClaudePart): ClaudeState {
  const message = lookup(state.messages, key);
  if (message === undefined) return state;
  return withMessage(state, key, { ...message, parts: assign(message.parts, index, part) });
}
