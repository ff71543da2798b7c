import type { EventAdapter } from "@claxedo/agent-event-runtime";
import { Connections } from "./connections.ts";
import { readSteps } from "./read-steps.ts";
import { RecordingReader } from "./recording-reader.ts";
import { type ReplayedSession, ReplayedSessions, type Telling } from "./replayed-sessions.ts";
import { silences } from "./silences.ts";

/** A recording that has been translated to its end, or as far as anybody listened. */
export interface Replayed {
  readonly sessions: readonly ReplayedSession[];
  /** Lines that are not of the form of a recording. */
  readonly unreadable: number;
}

/** Translates a file. `tell` is awaited for everything told; it answers whether to go on. */
export async function replayFile(
  path: string,
  adapter: EventAdapter,
  tell: (telling: Telling) => Promise<boolean>,
): Promise<Replayed> {
  const sessions = new ReplayedSessions(adapter);
  const reader = new RecordingReader(new Connections(silences.get(adapter.id)));
  const replayed = (): Replayed => ({ sessions: sessions.all, unreadable: reader.unreadable });
  for await (const step of readSteps(path, reader)) {
    for (const telling of sessions.take(step)) if (!(await tell(telling))) return replayed();
  }
  return replayed();
}
