import { type AgentRuntimeEvent, emptySnapshot } from "@claxedo/agent-event-runtime";
import { emptySessionState, type TurnRecord } from "../session/session-state.ts";
import type { NewSession, SessionWrite } from "../stores/session-store.ts";

/** A session to create. */
export function newSession(id: string, more?: Partial<NewSession>): NewSession {
  return { id, directory: "/w", harness: { id: "pi", access: "native" }, createdAt: 1000, ...more };
}

/** A piece of text as the event number `seq`. */
export function textEvent(sessionId: string, seq: number, text = `text ${seq}`): AgentRuntimeEvent {
  const envelope = { v: 1, seq, sessionId, time: 1000 + seq, adapter: "pi" } as const;
  return { ...envelope, type: "message.delta", messageId: "m1", partId: "p1", kind: "text", text };
}

/** A commit of `count` events after `expectedSeq`. */
export function write(
  sessionId: string,
  expectedSeq: number,
  count: number,
  more?: Partial<SessionWrite>,
): SessionWrite {
  const events = Array.from({ length: count }, (_, index) => textEvent(sessionId, expectedSeq + 1 + index));
  return {
    sessionId,
    epoch: 1,
    commitId: `${sessionId}/${expectedSeq}+${count}`,
    expectedSeq,
    events,
    snapshot: { ...emptySnapshot(sessionId), seq: expectedSeq + count },
    state: emptySessionState,
    updatedAt: 2000 + expectedSeq,
    turns: [],
    asks: [],
    projections: [],
    ...more,
  };
}

/** A turn that was queued at `seq`. */
export function turn(turnId: string, seq: number, more?: Partial<TurnRecord>): TurnRecord {
  return {
    turnId,
    inputId: `${turnId}/input`,
    status: "queued",
    seq: { queued: seq },
    time: { queued: 1000 + seq },
    ...more,
  };
}
