import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { OpenKind } from "../../translation/open-items.ts";
import type { ClaudeState, ClaudeTask } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import type { ClaudeStep } from "./step.ts";

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

/** The step, after which the frame is the last one of the run's main agent, if it is one. */
export function withRow(step: ClaudeStep, place: Place, payload: unknown): ClaudeStep {
  const lastRow = idOf(payload, "uuid");
  const { state } = step;
  if (place.key !== "" || state.run === null || lastRow === undefined) return step;
  return { ...step, state: { ...state, lastRow } };
}

/** Whether the frame is the last one of the run's main agent once more. */
export function isLastRow(state: ClaudeState, place: Place, payload: unknown): boolean {
  return place.key === "" && state.lastRow !== null && state.lastRow === idOf(payload, "uuid");
}

/** The vendor's id if nothing has had it, else one that names the frame as well. */
export function freshId(context: AdapterContext, kind: OpenKind, id: string): string {
  const taken = context.isOpen(kind, id) || context.wasEnded(kind, id);
  return taken ? `${id}.${context.frame}` : id;
}
