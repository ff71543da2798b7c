import {
  type Projection,
  type ProjectionSnapshot,
  apply,
  emptyProjection,
  restoreProjection,
} from "@claxedo/agent-event-runtime";
import { parseEvent } from "@claxedo/agent-event-runtime/schema";

/** Goes on from a stored snapshot, or from the beginning, with the lines of a stream of events. */
export function follow<Output>(
  projection: Projection,
  stored: ProjectionSnapshot | undefined,
  lines: Iterable<string>,
  write: (output: Output) => void,
): ProjectionSnapshot {
  const restored = stored === undefined ? undefined : restoreProjection(projection, stored);
  let snapshot = restored?.ok === true ? restored.snapshot : emptyProjection(projection);
  for (const line of lines) {
    const event = parseEvent(JSON.parse(line));
    if (event === undefined) throw new Error(`This is no event: ${line}`);
    const applied = apply(projection, snapshot, event);
    if (applied.kind === "gap")
      throw new Error(`Read again from ${snapshot.seq + 1}: ${event.seq} is too far.`);
    snapshot = applied.snapshot;
    for (const output of applied.output) write(output as Output);
  }
  return snapshot;
}
