import { randomUUID } from "node:crypto";
import type { Json } from "@claxedo/agent-event-runtime";
import { delay } from "../base/deadline.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { SessionStore, SessionWrite } from "../stores/session-store.ts";
import type { SessionDraft } from "./session-draft.ts";

/** Writes one session's commits. */
export interface SessionWriter {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly epoch: number;
  /** How long a commit that fails is tried again, in milliseconds. */
  readonly retryMs: number;
}

/**
 * Commits a draft. A failing commit is tried again, the same one, with growing pauses; after `retryMs`
 * the last error is thrown. Another host having taken the session is `fenced`, at once.
 */
export async function commitDraft(
  writer: SessionWriter,
  draft: SessionDraft,
  expectedSeq: number,
): Promise<void> {
  const write = writeOf(writer, draft, expectedSeq);
  const until = Date.now() + writer.retryMs;
  for (let pause = 20; ; pause = Math.min(pause * 2, 1_000)) {
    try {
      const [result] = await writer.store.commit([write]);
      if (result === undefined || result.ok) return;
      throw refused(writer.sessionId, result.code);
    } catch (error) {
      const lasting = AgentRuntimeError.is(error) && LASTING.has(error.code);
      if (lasting || Date.now() + pause > until) throw error;
      await delay(pause);
    }
  }
}

const LASTING = new Set(["fenced", "conflict", "session-not-found", "closed", "read-only", "store-corrupt"]);

function writeOf(writer: SessionWriter, draft: SessionDraft, expectedSeq: number): SessionWrite {
  const { binding } = draft;
  const { snapshot, state, transcript } = draft.progress;
  const rows = draft.rows.map((row) => ({
    rowId: row.rowId,
    ordinal: row.ordinal,
    body: row as unknown as Json,
  }));
  return {
    sessionId: writer.sessionId,
    epoch: writer.epoch,
    commitId: randomUUID(),
    expectedSeq,
    events: draft.events,
    snapshot,
    state,
    updatedAt: draft.events.at(-1)?.time ?? Date.now(),
    turns: draft.turns,
    asks: draft.asks,
    ...(binding === undefined ? undefined : { binding }),
    // A part that is still open is not rewritten per delta: the view is stored when a row has changed.
    projections: rows.length === 0 ? [] : [{ snapshot: transcript, rows }],
  };
}

function refused(sessionId: string, code: "fenced" | "conflict" | "session-not-found"): AgentRuntimeError {
  switch (code) {
    case "fenced":
      return new AgentRuntimeError(
        "fenced",
        `Another host has taken session ${sessionId}; this host has let it go.`,
      );
    case "conflict":
      return new AgentRuntimeError(
        "conflict",
        `The log of session ${sessionId} has moved under its owner; open it again.`,
      );
    case "session-not-found":
      return new AgentRuntimeError("session-not-found", `Session ${sessionId} is not in the store any more.`);
  }
}
