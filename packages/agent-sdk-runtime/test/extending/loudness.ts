import type { Json, Projection } from "@claxedo/agent-event-runtime";

/** How many letters a run has said. */
export interface Loudness {
  readonly runId: string;
  readonly letters: number;
}

/** Letters of the runs under way. */
type Counts = readonly (readonly [runId: string, letters: number])[];

export const loudness: Projection<Counts, Loudness> = {
  id: "loudness",
  stateVersion: 1,
  initialState: [],
  parseState: (value, version) => (version === 1 && isCounts(value) ? value : undefined),
  project(state, event) {
    const { runId } = event;
    if (runId === undefined) return { state, output: [] };
    const letters = state.find(([known]) => known === runId)?.[1] ?? 0;
    const others = state.filter(([known]) => known !== runId);
    switch (event.type) {
      case "message.delta":
        return { state: [...others, [runId, letters + event.text.length]], output: [] };
      case "run.ended":
        return { state: others, output: [{ runId, letters }] };
      default:
        return { state, output: [] };
    }
  },
};

function isCounts(value: Json): value is Counts {
  if (!Array.isArray(value)) return false;
  return value.every(
    (entry) => Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number",
  );
}
