import type { Json } from "../base/json.ts";
import type { Projection } from "./projection.ts";

/** Where a projection stands; independent of where translation stands. */
export interface ProjectionSnapshot {
  readonly v: 1;
  readonly projection: string;
  readonly stateVersion: number;
  /** The last event applied. */
  readonly seq: number;
  readonly state: Json;
}

/** The snapshot of a projection that has seen nothing. */
export function emptyProjection(projection: Projection): ProjectionSnapshot {
  return {
    v: 1,
    projection: projection.id,
    stateVersion: projection.stateVersion,
    seq: 0,
    state: projection.initialState,
  };
}

/** The stored snapshot made ready for this projection, or the reason why it must be rebuilt from seq 1. */
export function restoreProjection(
  projection: Projection,
  stored: ProjectionSnapshot,
):
  | { readonly ok: true; readonly snapshot: ProjectionSnapshot }
  | { readonly ok: false; readonly reason: "other-projection" | "state-too-new" | "state-unreadable" } {
  if (stored.projection !== projection.id) return { ok: false, reason: "other-projection" };
  if (stored.stateVersion > projection.stateVersion) return { ok: false, reason: "state-too-new" };
  const state = projection.parseState(stored.state, stored.stateVersion);
  if (state === undefined) return { ok: false, reason: "state-unreadable" };
  return { ok: true, snapshot: { ...stored, stateVersion: projection.stateVersion, state } };
}
