import type { Json } from "../base/json.ts";
import type { RawFrame } from "./event-adapter.ts";

/** Where a frame goes, and the frames it set free. */
export interface Routed {
  readonly state: Json;
  readonly deliveries: readonly Delivery[];
}

/** One frame for one native session, or, without a name, for all of the connection. */
export interface Delivery {
  readonly nativeSessionId?: string;
  readonly frame: RawFrame;
}

/**
 * Sorts the frames of a connection that several native sessions share. Pure, JSON state, one per
 * connection: it pairs answers with their requests and knows which thread is whose child.
 */
export interface Router {
  readonly initialState: Json;
  route(state: Json, frame: RawFrame): Routed;
}

/** The router of harnesses with one session per process: everything goes to all there is. */
export const singleSession: Router = {
  initialState: null,
  route: (state, frame) => ({ state, deliveries: [{ frame }] }),
};
