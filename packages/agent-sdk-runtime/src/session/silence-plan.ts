import type { OpenItem } from "@claxedo/agent-event-runtime";
import type { SessionState } from "./session-state.ts";

/**
 * Whether the harness owes a word, so that its silence has a limit: it has a turn's input, or a run of its
 * own, and nothing is under way that may take its time. That is an open ask, whoever asks, since a person
 * may be away; and a tool call, unless it goes on in the background: the harness does not wait for that. A
 * subagent that a run waits for is the tool call that started it.
 */
export function owesWord(state: SessionState, open: readonly OpenItem[]): boolean {
  const sent = state.turn?.inputs.some((input) => input.sent) ?? false;
  if ((!sent && state.runs.length === 0) || state.asks.length > 0) return false;
  return !open.some((item) => item.kind === "tool" && !isBackground(state, item));
}

/** A call that a background task carries on, or one of an agent that no run waits for. */
function isBackground({ tasks = [] }: SessionState, { taskId, agent, runId }: OpenItem): boolean {
  const moved = tasks.some((task) => task.taskId === taskId && task.kind === "background");
  return moved || (agent !== undefined && runId === undefined);
}
