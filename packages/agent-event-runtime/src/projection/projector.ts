import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { Json } from "../base/json.ts";
import type { ProjectionSnapshot } from "./projection-snapshot.ts";
import type { Projection } from "./projection.ts";

/** What applying an event did. A repeat or a gap changes nothing. */
export interface Applied<Output> {
  readonly kind: "applied" | "repeated" | "gap";
  readonly snapshot: ProjectionSnapshot;
  readonly output: readonly Output[];
}

/** Applies one event, once and in order. The snapshot must belong to the projection. */
export function apply<State extends Json, Output>(
  projection: Projection<State, Output>,
  snapshot: ProjectionSnapshot,
  event: AgentRuntimeEvent,
): Applied<Output> {
  if (event.seq <= snapshot.seq) return { kind: "repeated", snapshot, output: [] };
  if (event.seq > snapshot.seq + 1) return { kind: "gap", snapshot, output: [] };
  const { state, output } = projection.project(snapshot.state as State, event);
  return { kind: "applied", snapshot: { ...snapshot, seq: event.seq, state }, output };
}
