import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AgentRuntime, Turn, TurnResult } from "@claxedo/agent-sdk-runtime";

/**
 * Hands over the events of a turn in order, from its acceptance to its verdict, one at a time; resolves
 * with the verdict. Events of other turns of the session are left out, those of no turn are not. Rejects
 * when this process cannot follow the turn to its end.
 */
export async function followTurn(
  runtime: AgentRuntime,
  turn: Turn,
  take: (event: AgentRuntimeEvent) => Promise<void>,
): Promise<TurnResult> {
  const lost = new AbortController();
  turn.settled.catch(() => lost.abort());
  const { id, sessionId, seq } = turn;
  for await (const event of runtime.events.subscribe({ sessionId, after: seq - 1, signal: lost.signal })) {
    if (event.turnId !== undefined && event.turnId !== id) continue;
    await take(event);
    if (event.type === "turn.ended" && event.turnId === id) break;
  }
  return turn.settled;
}
