import { toJson } from "../../base/json.ts";
import { omit } from "../../base/keyed-list.ts";
import { field } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { ClaudeAsk, ClaudeState } from "./claude-state.ts";
import { shortId } from "./frames.ts";
import { type ClaudeStep, says, silent } from "./step.ts";

/** The mark of a request id, its type included; `undefined` without one. */
export function requestKey(payload: unknown): string | undefined {
  const id = toJson(field(payload, "request_id"));
  return id === undefined || id === null ? undefined : shortId(JSON.stringify(id));
}

/** How an ask ends that nobody answers any more. */
export interface AskEnd {
  readonly outcome: "cancelled" | "denied";
  readonly by: "user" | "policy" | "harness";
}

/** Ends the open asks that the test picks. */
export function endAsks(state: ClaudeState, over: (ask: ClaudeAsk) => boolean, end: AskEnd): ClaudeStep {
  const ended = state.asks.filter(([, ask]) => over(ask));
  if (ended.length === 0) return silent(state);
  const asks = ended.reduce((left, [key]) => omit(left, key), state.asks);
  return says({ ...state, asks }, ...ended.flatMap(([, ask]) => endOfAsk(ask, end)));
}

function endOfAsk({ kind, requestId }: ClaudeAsk, { outcome, by }: AskEnd): readonly EventDraft[] {
  if (kind === "permission") return [{ type: "permission.ended", requestId, outcome, by }];
  if (kind === "host") return [];
  return [{ type: "question.ended", requestId, outcome: outcome === "denied" ? "rejected" : outcome, by }];
}
