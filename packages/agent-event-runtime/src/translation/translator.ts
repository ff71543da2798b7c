import { assign, lookup } from "../base/keyed-list.ts";
import type {
  AgentRuntimeEvent,
  DiagnosticAdded,
  EventDraft,
  EventEnvelope,
} from "../event/agent-runtime-event.ts";
import type { Json } from "../base/json.ts";
import type {
  AdapterContext,
  BrokenFrame,
  EventAdapter,
  RawFrame,
  Reduction,
  UnsentFrame,
} from "./event-adapter.ts";
import { type OpenKind, endsOfConnection, endsOfRun, enter, findOpen, findRecent } from "./open-items.ts";
import type { RuntimeSnapshot } from "./runtime-snapshot.ts";

/** The next snapshot, and the events that got a number on the way to it. */
export interface Step {
  readonly snapshot: RuntimeSnapshot;
  readonly events: readonly AgentRuntimeEvent[];
}

/** Translates one frame. Pure and total: a fault of the adapter becomes `diagnostic adapter.threw`. */
export function translate(adapter: EventAdapter, snapshot: RuntimeSnapshot, frame: RawFrame): Step {
  const ready = prepare(adapter, snapshot, frame.at);
  const frames = ready.snapshot.frames + 1;
  const from = { ...ready.snapshot, frames, connection: Math.max(1, ready.snapshot.connection) };
  const stamp = { time: frame.at, frame: frames };
  if (frame.kind === "broken") return after(ready, number(from, [brokenLine(frame)], stamp));
  const { state, events, fault } = guard(from.state, () =>
    adapter.reduce(from.state, frame, contextOf(from, stamp)),
  );
  const told = prefixed(events, from.connection);
  const unsent = frame.kind === "unsent" ? endsOfUnsent(from, frame) : NONE;
  const drafts = unsent === NONE && fault === NONE ? told : [...told, ...unsent, ...fault];
  return after(ready, number(trusted(from, state), drafts, stamp));
}

const NONE: readonly EventDraft[] = [];

/** Numbers what the host itself has to say, such as turns, statuses and ends by other evidence. */
export function emit(snapshot: RuntimeSnapshot, drafts: readonly EventDraft[], time: number): Step {
  return number(snapshot, drafts, { time });
}

/** Closes everything the harness left open, since the connection is over. Works without a usable state, too. */
export function finish(
  adapter: EventAdapter,
  snapshot: RuntimeSnapshot,
  reason: "ended" | "lost",
  time: number,
): Step {
  const ready = prepare(adapter, snapshot, time);
  const from = ready.snapshot;
  const { state, events, fault } = guard(from.state, () =>
    adapter.finish === undefined
      ? { state: from.state, events: [] }
      : adapter.finish(from.state, reason, contextOf(from, { time })),
  );
  const told = number(trusted(from, state), [...prefixed(events, from.connection), ...fault], { time });
  const closed = number(told.snapshot, endsOfConnection(told.snapshot, reason), { time });
  return after(
    ready,
    after(told, { ...closed, snapshot: { ...closed.snapshot, state: adapter.initialState } }),
  );
}

/** Begins the next connection: what an earlier one left open is closed, and the adapter starts afresh. */
export function begin(adapter: EventAdapter, snapshot: RuntimeSnapshot, time: number): Step {
  const closed = number(snapshot, endsOfConnection(snapshot, "lost"), { time });
  return {
    events: closed.events,
    snapshot: {
      ...closed.snapshot,
      connection: snapshot.connection + 1,
      adapter: adapter.id,
      stateVersion: adapter.stateVersion,
      state: adapter.initialState,
      diagnostics: [],
    },
  };
}

// States that this process made or has checked: a cache of parseState's verdict, so it changes no result. An entry
// in the set costs about as much as a frame, so the latest state stands beside it, and enters it when a state that
// does not follow from it takes its place.
const checked = new WeakSet<object>();
let latest: object | undefined;

function isChecked(state: Json): boolean {
  return typeof state === "object" && state !== null && (state === latest || checked.has(state));
}

function trusted(from: RuntimeSnapshot, state: Json): RuntimeSnapshot {
  if (typeof state === "object" && state !== null && state !== latest) {
    if (latest !== undefined && latest !== from.state) checked.add(latest);
    latest = state;
  }
  return state === from.state ? from : { ...from, state };
}

/** The snapshot made usable by this adapter: parsed, or closed without it when its state cannot be used. */
function prepare(adapter: EventAdapter, snapshot: RuntimeSnapshot, time: number): Step {
  if (snapshot.adapter === "") {
    const fresh = { ...snapshot, adapter: adapter.id, stateVersion: adapter.stateVersion };
    return { snapshot: trusted(fresh, adapter.initialState), events: [] };
  }
  const same = snapshot.adapter === adapter.id && snapshot.stateVersion === adapter.stateVersion;
  if (same && isChecked(snapshot.state)) return { snapshot, events: [] };
  const parsed = snapshot.adapter === adapter.id ? parse(adapter, snapshot) : undefined;
  if (parsed !== undefined) {
    return { snapshot: trusted({ ...snapshot, stateVersion: adapter.stateVersion }, parsed), events: [] };
  }
  const drafts = [unusable(adapter, snapshot), ...endsOfConnection(snapshot, "lost")];
  const closed = number(snapshot, drafts, { time });
  const renewed = { ...closed.snapshot, adapter: adapter.id, stateVersion: adapter.stateVersion };
  return { snapshot: trusted(renewed, adapter.initialState), events: closed.events };
}

function parse(adapter: EventAdapter, snapshot: RuntimeSnapshot): Json | undefined {
  if (snapshot.stateVersion > adapter.stateVersion) return undefined;
  try {
    return adapter.parseState(snapshot.state, snapshot.stateVersion);
  } catch {
    return undefined;
  }
}

function unusable(adapter: EventAdapter, snapshot: RuntimeSnapshot): DiagnosticAdded {
  return {
    type: "diagnostic",
    code: "snapshot.unusable",
    severity: "warning",
    message: `The stored state of adapter "${snapshot.adapter}" (version ${snapshot.stateVersion}) cannot be used by "${adapter.id}" (version ${adapter.stateVersion}); what was open is closed and translation starts afresh.`,
  };
}

function contextOf(snapshot: RuntimeSnapshot, stamp: { readonly time: number }): AdapterContext {
  const prefix = prefixOf(snapshot.connection);
  return {
    frame: snapshot.frames,
    time: stamp.time,
    connection: Math.max(1, snapshot.connection),
    isOpen: (kind, id) => findOpen(snapshot, kind, HOST_NAMED.has(kind) ? id : prefix + id) !== undefined,
    wasEnded: (kind, id) => findRecent(snapshot, kind, HOST_NAMED.has(kind) ? id : prefix + id) !== undefined,
  };
}

// Items whose ids the host makes: they mean the same in every connection.
const HOST_NAMED: ReadonlySet<OpenKind> = new Set(["input", "turn", "harness", "recovery"]);

function guard(
  state: Json,
  reduce: () => Reduction<Json>,
): Reduction<Json> & { readonly fault: readonly EventDraft[] } {
  try {
    const { state: next, events } = reduce();
    return { state: next, events, fault: NONE };
  } catch (error) {
    const message = `The adapter failed on this frame: ${error instanceof Error ? error.message : String(error)}`;
    return {
      state,
      events: [],
      fault: [{ type: "diagnostic", code: "adapter.threw", severity: "error", message }],
    };
  }
}

function brokenLine(frame: BrokenFrame): EventDraft {
  return {
    type: "diagnostic",
    code: "frame.broken",
    severity: "warning",
    message: `The harness wrote a line that cannot be read (${frame.reason}, ${frame.bytes} bytes); it was skipped.`,
    detail: { text: frame.text.slice(0, 200), bytes: frame.bytes },
  };
}

function endsOfUnsent(snapshot: RuntimeSnapshot, frame: UnsentFrame): readonly EventDraft[] {
  const message = `The harness could not be written to: ${frame.reason}`;
  const diagnostic: EventDraft = { type: "diagnostic", code: "input.unsent", severity: "error", message };
  const inputId = frame.frame.note?.inputId;
  if (inputId === undefined || findOpen(snapshot, "input", inputId) === undefined) return [diagnostic];
  return [diagnostic, { type: "input.ended", inputId, outcome: "lost", error: { message } }];
}

const VENDOR_IDS = ["messageId", "partId", "callId", "runId", "taskId", "requestId", "compactionId"] as const;

/** From the second connection on ids carry the connection: a harness that counts from 0 again repeats none. */
function prefixed(drafts: readonly EventDraft[], connection: number): readonly EventDraft[] {
  const prefix = prefixOf(connection);
  if (prefix === "") return drafts;
  return drafts.map((draft) => {
    const named: Record<string, unknown> = { ...draft };
    for (const key of VENDOR_IDS) if (typeof named[key] === "string") named[key] = prefix + named[key];
    if (draft.agent !== undefined) named["agent"] = draft.agent.map((id) => prefix + id);
    return named as unknown as EventDraft;
  });
}

function prefixOf(connection: number): string {
  return connection > 1 ? `c${connection}.` : "";
}

type Stamp = Pick<EventEnvelope, "time" | "frame">;

/** Gives numbers to drafts, in order, keeping the books: nothing else does. */
function number(from: RuntimeSnapshot, drafts: readonly EventDraft[], stamp: Stamp): Step {
  const events: AgentRuntimeEvent[] = [];
  let snapshot = from;
  for (const draft of drafts) snapshot = admit(snapshot, draft, stamp, events);
  return { snapshot, events };
}

function admit(
  from: RuntimeSnapshot,
  draft: EventDraft,
  stamp: Stamp,
  events: AgentRuntimeEvent[],
): RuntimeSnapshot {
  if (draft.type === "diagnostic") return diagnose(from, draft, stamp, events);
  let snapshot = from;
  if (draft.type === "run.ended" && findOpen(snapshot, "run", draft.runId) !== undefined) {
    for (const end of endsOfRun(snapshot, draft)) snapshot = admit(snapshot, end, stamp, events);
  }
  const entry = enter(snapshot, draft);
  if (!entry.ok) return diagnose(snapshot, unbalanced(entry.reason), stamp, events);
  const seq = snapshot.seq + 1;
  // The envelope comes after the draft, so that no adapter can forge it.
  events.push({ ...draft, ...envelope(snapshot, seq, stamp), ...entry.bearing });
  return { ...snapshot, seq, open: entry.books.open, recent: entry.books.recent };
}

function envelope(
  snapshot: RuntimeSnapshot,
  seq: number,
  stamp: Stamp,
): Omit<EventEnvelope, "turnId" | "runId"> {
  const { sessionId, adapter } = snapshot;
  const { time, frame } = stamp;
  return frame === undefined
    ? { v: 1, seq, sessionId, time, adapter }
    : { v: 1, seq, sessionId, time, adapter, frame };
}

/** A harness that repeats itself must not flood the log: the 1st, 10th, 100th … of a code are told. */
function diagnose(
  from: RuntimeSnapshot,
  draft: DiagnosticAdded,
  stamp: Stamp,
  events: AgentRuntimeEvent[],
): RuntimeSnapshot {
  const count = (lookup(from.diagnostics, draft.code) ?? 0) + 1;
  const counted = { ...from, diagnostics: assign(from.diagnostics, draft.code, count).slice(-RECENT_CODES) };
  if (!/^10*$/.test(String(count))) return counted;
  const seq = from.seq + 1;
  events.push({ ...draft, ...envelope(from, seq, stamp), ...(count > 1 ? { count } : undefined) });
  return { ...counted, seq };
}

const RECENT_CODES = 64;

function unbalanced(reason: string): DiagnosticAdded {
  return {
    type: "diagnostic",
    code: "adapter.unbalanced",
    severity: "warning",
    message: `Dropped ${reason}.`,
  };
}

function after(first: Step, second: Step): Step {
  return first.events.length === 0
    ? second
    : { snapshot: second.snapshot, events: [...first.events, ...second.events] };
}
