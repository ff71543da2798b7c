import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { Harness } from "../harness/harness.ts";
import type { SessionRunner } from "../session/session-runner.ts";
import type { SessionStore, StoredSession } from "../stores/session-store.ts";

/** What the parts of a runtime are made of. */
export interface RuntimeCore {
  readonly store: SessionStore;
  /** The session as it is stored, once the runtime is ready; `session-not-found` otherwise. */
  stored(sessionId: string): Promise<StoredSession>;
  /** The runner of a session, which this host then owns. */
  take(sessionId: string): Promise<SessionRunner>;
  harnessOf(session: StoredSession): Harness;
}

/** The event of that number, which the log is known to have. */
export async function eventAt(
  { store }: RuntimeCore,
  sessionId: string,
  seq: number,
): Promise<AgentRuntimeEvent | undefined> {
  const [event] = await store.events(sessionId, { after: seq - 1, limit: 1 });
  return event;
}
