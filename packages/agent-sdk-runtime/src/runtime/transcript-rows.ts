import {
  apply,
  emptyProjection,
  openRows,
  restoreProjection,
  transcript,
  type TranscriptRow,
} from "@claxedo/agent-event-runtime";
import type { SessionStore } from "../stores/session-store.ts";
import type { Messages, Page } from "./runtime-api.ts";

/** Stored rows, brought up to the last event by a fold over what came after them. */
export async function transcriptRows(
  store: SessionStore,
  sessionId: string,
  page?: Page,
): ReturnType<Messages["list"]> {
  const stored = await store.rows(sessionId, transcript.id, page);
  const restored = stored.snapshot === undefined ? undefined : restoreProjection(transcript, stored.snapshot);
  let view = restored?.ok ? restored.snapshot : emptyProjection(transcript);
  const rows = new Map(
    restored?.ok ? stored.rows.map((row) => [row.rowId, row.body as unknown as TranscriptRow]) : [],
  );
  for (;;) {
    const events = await store.events(sessionId, { after: view.seq });
    if (events.length === 0) break;
    for (const event of events) {
      const applied = apply(transcript, view, event);
      view = applied.snapshot;
      for (const row of applied.output) rows.set(row.rowId, row);
    }
  }
  for (const row of openRows(view.state as never)) rows.set(row.rowId, row);
  const after = page?.after ?? 0;
  const listed = [...rows.values()]
    .filter((row) => row.ordinal > after)
    .sort((a, b) => a.ordinal - b.ordinal);
  return { seq: view.seq, rows: listed.slice(0, page?.limit ?? listed.length) };
}
