import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";

const PAGE = 500;

/** The stored events of a session after a seq, in order, up to the end of its log. */
export async function* allEvents(
  runtime: AgentRuntime,
  sessionId: string,
  from: number,
): AsyncGenerator<AgentRuntimeEvent> {
  for (let after = from; ;) {
    const page = await runtime.events.list(sessionId, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
