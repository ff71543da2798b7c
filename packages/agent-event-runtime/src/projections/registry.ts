import type { Projection } from "../projection/projection.ts";
import { debugTrace } from "./debug-trace/debug-trace.ts";
import { transcript } from "./transcript/transcript.ts";

/** The projections that come with this package, each under its id. Any other object of the contract serves as well. */
export const projections: ReadonlyMap<string, Projection> = new Map<string, Projection>([
  ["transcript", transcript],
  ["debug-trace", debugTrace],
]);
