import type { EventOf, Json } from "@claxedo/agent-event-runtime";
import type { SessionBinding } from "./session-binding.ts";
import type { HarnessTrouble, SessionState } from "./session-state.ts";

/** One way to start the harness. */
export interface Rung {
  /** What to go on from; absent to begin a session of the harness anew. */
  readonly binding?: Json;
  /** That session does not know what came after this seq. Absent when it knows all. */
  readonly unknownAfter?: number;
}

/**
 * The ways to start the harness of a session, to be tried in turn: its own session, that once more, the one
 * before it while no turn has completed in the new one, and a new one. A spoilt session is not tried at all.
 */
export function rungsOf(
  binding: SessionBinding | undefined,
  state: Pick<SessionState, "fresh" | "trouble">,
  canResume: boolean,
): readonly Rung[] {
  if (binding === undefined) return [{}];
  const anew: Rung = { unknownAfter: 0 };
  if (!canResume || isSpoilt(state)) return [anew];
  const { current, unknownAfter, former } = binding;
  const own: Rung = { binding: current, ...(unknownAfter === undefined ? undefined : { unknownAfter }) };
  const before: readonly Rung[] =
    former !== undefined && state.fresh === true
      ? [{ binding: former.binding, unknownAfter: former.seq }]
      : [];
  return [own, own, ...before, anew];
}

/** How the harness has started. */
export interface Start {
  /** What its connection gives. */
  readonly current: Json;
  readonly resumed: boolean;
  /** The last seq before the turn that it is for. */
  readonly seq: number;
}

/** What is to be stored once the harness has started by that rung. */
export function bindingAfter(
  before: SessionBinding | undefined,
  rung: Rung,
  { current, resumed, seq }: Start,
  { fresh }: Pick<SessionState, "fresh">,
): SessionBinding {
  if (before === undefined) return { current };
  const unproved = fresh === true ? before.former : undefined;
  if (!resumed) {
    return { current, unknownAfter: 0, former: unproved ?? { binding: before.current, seq } };
  }
  const { unknownAfter } = rung;
  return {
    current,
    ...(unknownAfter === undefined ? undefined : { unknownAfter }),
    ...(unproved === undefined || rung.binding !== before.current ? undefined : { former: unproved }),
  };
}

/** How often in a row turns fail in one way before the harness's session is held to be the reason. */
const LIMITS: Readonly<Record<HarnessTrouble["kind"], number>> = {
  "history-rejected": 1,
  "context-overflow": 2,
  "harness-crashed": 2,
};

/** Whether turns fail for a reason that lies in the harness's session, so that the next one would as well. */
export function isSpoilt({ trouble }: Pick<SessionState, "trouble">): boolean {
  return trouble !== undefined && trouble.count >= LIMITS[trouble.kind];
}

/** The trouble after a turn; `undefined` when there is none. A cancelled turn says nothing. */
export function troubleAfter(
  trouble: HarnessTrouble | undefined,
  { outcome, reason, error }: Pick<EventOf<"turn.ended">, "outcome" | "reason" | "error">,
): HarnessTrouble | undefined {
  if (outcome === "cancelled") return trouble;
  const kind = outcome === "failed" ? [reason, error?.code].find(isTrouble) : undefined;
  if (kind === undefined) return undefined;
  return { kind, count: trouble?.kind === kind ? trouble.count + 1 : 1 };
}

function isTrouble(word: string | undefined): word is HarnessTrouble["kind"] {
  return word !== undefined && Object.hasOwn(LIMITS, word);
}
