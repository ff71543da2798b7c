import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { OpenKind } from "../../translation/open-items.ts";
import type { ClaudeState, ClaudeTask } from "./claude-state.ts";

/** Where something happens: in which agent, and in which run. */
export interface Place {
  /** The call that started the agent; `""` for the main one. */
  readonly key: string;
  readonly runId?: string;
  readonly agent?: readonly string[];
  /** Its run, or the agent itself, is over: what comes is an afterthought. */
  readonly late?: true;
}

/** The main agent, as it stands. */
export function mainPlace(state: ClaudeState): Place {
  return state.run === null ? { key: "" } : { key: "", runId: state.run.runId };
}

/** What happens inside that task. */
export function insideTask(key: string, task: ClaudeTask): Place {
  return { key, agent: task.agent, ...(task.runId === null ? undefined : { runId: task.runId }) };
}

/** The place for a draft's envelope. */
export function at(place: {
  readonly runId?: string | null;
  readonly agent?: readonly string[];
  readonly late?: true;
}): { readonly runId?: string; readonly agent?: readonly string[]; readonly late?: true } {
  const { runId, agent, late } = place;
  return {
    ...(runId === undefined || runId === null ? undefined : { runId }),
    ...(agent === undefined || agent.length === 0 ? undefined : { agent }),
    ...(late === undefined ? undefined : { late }),
  };
}

/** The vendor's id if nothing has had it, else one that names the frame as well. */
export function freshId(context: AdapterContext, kind: OpenKind, id: string): string {
  const taken = context.isOpen(kind, id) || context.wasEnded(kind, id);
  return taken ? `${id}.${context.frame}` : id;
}
