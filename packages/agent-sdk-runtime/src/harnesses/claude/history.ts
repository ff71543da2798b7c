import type { Json, WireFrame } from "@claxedo/agent-event-runtime";
import { readBinding } from "./binding.ts";
import { findTranscript } from "./transcript.ts";
import { readRows } from "./transcript-reader.ts";

/**
 * What the transcript has of the time since the last prompt: a frame for each row of the conversation, then
 * `history.end` with `complete`. Nothing without a transcript, and of one that was written anew.
 */
export async function readHistory(value: Json): Promise<readonly WireFrame[]> {
  const binding = readBinding(value);
  const file = binding === undefined ? undefined : await findTranscript(binding, binding.sessionId);
  if (binding === undefined || file === undefined) return [];
  const told = await readRows(file, binding.cursor);
  if (told === undefined) return [];
  return [
    ...told.rows.map((row) => frame(row, timeOf(row["timestamp"]))),
    frame({ type: "history.end", complete: told.complete }, Date.now()),
  ];
}

function frame(payload: unknown, at: number): WireFrame {
  return { dir: "received", channel: "history", payload, at };
}

function timeOf(timestamp: unknown): number {
  const time = Date.parse(String(timestamp));
  return Number.isFinite(time) ? time : Date.now();
}
