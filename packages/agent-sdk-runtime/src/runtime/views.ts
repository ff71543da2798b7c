import { settingsOf } from "../session/session-settings.ts";
import { statusOf } from "../session/session-status.ts";
import type { TurnRecord } from "../session/session-state.ts";
import type { StoredSession } from "../stores/session-store.ts";
import type { Session, TurnResult } from "./runtime-api.ts";

/** A stored session as hosts see it. `failing`: this process could not store what happened in it. */
export function sessionView(stored: StoredSession, failing: boolean): Session {
  const { state, owner } = stored;
  const title = state.title ?? stored.title;
  const orphaned = state.turn !== undefined && owner === undefined;
  return {
    id: stored.id,
    directory: stored.directory,
    harness: stored.harness,
    ...settingsOf(stored, state),
    ...(title === undefined ? undefined : { title }),
    status: failing ? "error" : orphaned ? "recovering" : statusOf(state),
    ...(state.turn === undefined ? undefined : { turn: state.turn.record }),
    queue: state.queue,
    ...(state.lastTurn === undefined ? undefined : { lastTurn: state.lastTurn }),
    asks: state.asks.length,
    ...(state.usage === undefined ? undefined : { usage: state.usage }),
    ...(state.costUsd === undefined ? undefined : { costUsd: state.costUsd }),
    seq: stored.headSeq,
    ...(owner === undefined ? undefined : { owner }),
    time: { created: stored.createdAt, updated: stored.updatedAt },
  };
}

/** A turn that has ended as its result. */
export function turnResult(record: TurnRecord): TurnResult {
  const { turnId, status, reason, stopReason, error, usage, costUsd, seq } = record;
  if (status === "queued" || status === "running") throw new Error(`Turn ${turnId} has not ended.`);
  return {
    turnId,
    outcome: status,
    reason: reason ?? "",
    ...(stopReason === undefined ? undefined : { stopReason }),
    ...(error === undefined ? undefined : { error }),
    ...(usage === undefined ? undefined : { usage }),
    ...(costUsd === undefined ? undefined : { costUsd }),
    seq: seq.ended ?? 0,
  };
}
