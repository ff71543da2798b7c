import type { Json, Projection } from "@claxedo/agent-event-runtime";

/** A tool call that is over, and how long it took. */
export interface ToolTime {
  readonly callId: string;
  readonly name: string;
  readonly outcome: string;
  readonly ms: number;
}

/** The calls under way. Entries in a list, since ids come from outside: `__proto__` is one like any other. */
type OpenCalls = readonly (readonly [callId: string, name: string, since: number])[];

export const toolTimes: Projection<OpenCalls, ToolTime> = {
  id: "tool-times",
  stateVersion: 1,
  initialState: [],
  parseState: (value, version) => (version === 1 && isOpenCalls(value) ? value : undefined),
  project(state, event) {
    switch (event.type) {
      case "tool.started":
        return { state: [...state, [event.callId, event.name, event.time]], output: [] };
      case "tool.ended": {
        const call = state.find(([callId]) => callId === event.callId);
        if (call === undefined) return { state, output: [] };
        const [callId, name, since] = call;
        const ended = { callId, name, outcome: event.outcome, ms: event.time - since };
        return { state: state.filter((open) => open !== call), output: [ended] };
      }
      default:
        return { state, output: [] };
    }
  },
};

function isOpenCalls(value: Json): value is OpenCalls {
  return Array.isArray(value) && value.every(isOpenCall);
}

function isOpenCall(value: Json): boolean {
  if (!Array.isArray(value)) return false;
  const [callId, name, since] = value as readonly Json[];
  return typeof callId === "string" && typeof name === "string" && typeof since === "number";
}
