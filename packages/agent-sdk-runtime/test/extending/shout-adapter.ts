import type { EventAdapter, EventDraft, Json, RawFrame, Reduction } from "@claxedo/agent-event-runtime";

/** The run under way, and the message in it. */
type ShoutState = { readonly run: string | null; readonly message: string | null };

/** Reads the lines of the toy agent. */
export const shoutAdapter: EventAdapter<ShoutState> = {
  id: "shout",
  stateVersion: 1,
  initialState: { run: null, message: null },
  parseState(value, version) {
    const [run, message] = [read(value, "run"), read(value, "message")];
    return version === 1 && isName(run) && isName(message) ? { run, message } : undefined;
  },
  reduce(state, frame, { frame: index }) {
    // Broken lines, and frames that could not be written, are the translator's.
    if (frame.kind !== undefined) return { state, events: [] };
    return frame.dir === "sent" ? sent(state, frame) : received(state, frame.payload, index);
  },
};

function sent(
  state: ShoutState,
  { payload, note }: RawFrame & { readonly kind?: undefined },
): Reduction<ShoutState> {
  const [prompt, text] = [read(payload, "prompt"), read(payload, "text")];
  if (typeof prompt === "string" && typeof text === "string") {
    const inputId = note?.inputId ?? prompt;
    return { state, events: [{ type: "input.sent", inputId, parts: [{ type: "text", text }] }] };
  }
  return read(payload, "stop") === true ? { state, events: [] } : unknown(state);
}

function received(state: ShoutState, payload: unknown, index: number): Reduction<ShoutState> {
  const [begin, word, done] = [read(payload, "begin"), read(payload, "word"), read(payload, "done")];
  if (typeof begin === "string" && state.run === null) {
    const run = `r${index}`;
    const events: readonly EventDraft[] = [
      { type: "run.started", runId: run, origin: "user" },
      { type: "input.joined", inputId: begin, runId: run },
    ];
    return { state: { run, message: null }, events };
  }
  if (typeof word === "string" && state.run !== null) {
    const message = state.message ?? `m${index}`;
    const opening: readonly EventDraft[] =
      state.message === null
        ? [{ type: "message.started", messageId: message, role: "assistant", runId: state.run }]
        : [];
    const delta: EventDraft = {
      type: "message.delta",
      messageId: message,
      partId: message,
      kind: "text",
      text: word,
    };
    return { state: { ...state, message }, events: [...opening, delta] };
  }
  if (typeof done === "string" && state.run !== null) return ended(state, read(payload, "stopped") === true);
  return unknown(state);
}

function ended({ run, message }: ShoutState, stopped: boolean): Reduction<ShoutState> {
  const outcome = stopped ? "cancelled" : "completed";
  const events: EventDraft[] =
    message === null ? [] : [{ type: "message.ended", messageId: message, outcome }];
  // A reason that begins with `harness.` says that the agent itself told the end.
  if (run !== null)
    events.push({
      type: "run.ended",
      runId: run,
      outcome,
      reason: `harness.${stopped ? "stopped" : "done"}`,
    });
  return { state: { run: null, message: null }, events };
}

function unknown(state: ShoutState): Reduction<ShoutState> {
  const message = "The agent said something that this adapter does not know.";
  return { state, events: [{ type: "diagnostic", code: "frame.unknown", severity: "warning", message }] };
}

function isName(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

/** Frames are data from outside: own properties only, and nothing is taken for granted. */
function read(value: unknown, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, Json>)[key];
}
