import {
  type AgentRuntimeEvent,
  type TranscriptRow,
  apply,
  emptyProjection,
  transcript,
} from "../../src/index.ts";

/** The rows that a store holds after these events: the last writing of each, in order. */
export function rowsOf(events: readonly AgentRuntimeEvent[]): readonly TranscriptRow[] {
  const rows = new Map<string, TranscriptRow>();
  let snapshot = emptyProjection(transcript);
  for (const event of events) {
    const applied = apply(transcript, snapshot, event);
    snapshot = applied.snapshot;
    for (const row of applied.output) rows.set(row.rowId, row);
  }
  return [...rows.values()].toSorted((a, b) => a.ordinal - b.ordinal);
}
