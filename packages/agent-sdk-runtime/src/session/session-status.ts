import type { SessionStatus } from "@claxedo/agent-event-runtime";
import type { SessionState } from "./session-state.ts";

/** Whether the runtime is doing something for this session right now. Never "done". */
export function statusOf(state: SessionState): SessionStatus {
  if (state.recovering) return "recovering";
  const working =
    state.turn !== undefined || state.queue.length > 0 || state.runs.some((run) => run.origin === "harness");
  if (working) return "busy";
  return state.failing ? "error" : "idle";
}
