import fc from "fast-check";
import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { EventAdapter } from "../translation/event-adapter.ts";
import { type RuntimeSnapshot, emptySnapshot } from "../translation/runtime-snapshot.ts";
import { emit } from "../translation/translator.ts";
import { type AdapterTrial, stories } from "./adapter-subject.ts";
import { account, partsOf, repeated } from "./books.ts";
import { runsOf } from "./conformance-case.ts";
import { expectEqual } from "./equality.ts";
import { type PlayStep, type Played, frame, play, take } from "./play.ts";

/** Another dialect, as a session meets it when its harness is switched. */
const other: EventAdapter = {
  id: "conformance-other",
  stateVersion: 1,
  initialState: { frames: 0 },
  parseState: (value) => value,
  reduce: (state, _frame, context) => ({
    state: { frames: context.frame },
    events: state === null ? [] : [{ type: "notice.added", level: "info", text: "other" }],
  }),
};

type Between = "nothing" | "emit" | "finish" | "begin" | "switch" | "intrude";

/** What a host does between two frames. An intruder's frame comes without an end of the connection before it. */
function doneBetween(what: Between, adapter: EventAdapter, from: RuntimeSnapshot): readonly Played[] {
  const then = (played: Played, who: EventAdapter, step: PlayStep): Played =>
    take(who, played.snapshot, step);
  const foreign = frame({ dir: "received", channel: "", payload: null, at: 1 });
  const start: Played = { snapshot: from, events: [] };
  switch (what) {
    case "nothing":
      return [];
    case "emit":
      return [emit(from, [{ type: "session.status", status: "busy" }], 1)];
    case "finish":
      return [then(start, adapter, { do: "finish", reason: "ended", at: 1 })];
    case "begin":
      return [then(start, adapter, { do: "begin", at: 1 })];
    case "intrude":
      return [then(start, other, foreign)];
    case "switch": {
      const ended = then(start, adapter, { do: "finish", reason: "ended", at: 1 });
      const begun = then(ended, other, { do: "begin", at: 1 });
      const told = then(begun, other, foreign);
      const back = then(told, adapter, { do: "begin", at: 1 });
      return [ended, begun, told, back];
    }
  }
}

/** Seq has neither gap nor repeat over any mix of translate, emit, finish, begin and other adapters. */
export function numbered(trial: AdapterTrial): void {
  const between = fc.constantFrom<Between>(
    "nothing",
    "nothing",
    "emit",
    "finish",
    "begin",
    "switch",
    "intrude",
  );
  fc.assert(
    fc.property(stories(trial), fc.array(between, { maxLength: 12 }), (steps, others) => {
      let snapshot = emptySnapshot("session");
      const note = (played: Played): void => {
        const seqs = played.events.map((event) => event.seq);
        const dense = played.events.map((_, index) => snapshot.seq + 1 + index);
        expectEqual(seqs, dense, "the numbers of events");
        expectEqual(played.snapshot.seq, snapshot.seq + seqs.length, "the last number in the snapshot");
        snapshot = played.snapshot;
      };
      for (const [index, step] of steps.entries()) {
        const what = others.length === 0 ? "nothing" : (others[index % others.length] ?? "nothing");
        for (const played of doneBetween(what, trial.adapter, snapshot)) note(played);
        note(take(trial.adapter, snapshot, step));
      }
    }),
    runsOf(trial.effort),
  );
}

/**
 * After `finish` everything that started has ended, once, and was not invented. The same holds when the next
 * connection begins without a `finish`, and when another adapter finds a state that it cannot use.
 */
export function balanced(trial: AdapterTrial): void {
  const ends: readonly (readonly [who: EventAdapter, step: PlayStep])[] = [
    [trial.adapter, { do: "finish", reason: "ended", at: 0 }],
    [trial.adapter, { do: "begin", at: 0 }],
    [other, frame({ dir: "received", channel: "", payload: null, at: 0 })],
  ];
  const check = (steps: readonly PlayStep[]): void => {
    const played = play(trial.adapter, steps);
    for (const [who, step] of ends) {
      const { events, snapshot } = take(who, played.snapshot, step);
      const { opened, ended } = account([...played.events, ...events]);
      expectEqual([...ended].toSorted(), [...opened].toSorted(), "what has ended, against what was opened");
      expectEqual(snapshot.open, [], "what is still open");
    }
  };
  for (const { steps } of trial.recordings) check(steps);
  fc.assert(fc.property(stories(trial), check), runsOf(trial.effort));
}

const BETWEEN: readonly PlayStep[] = [
  { do: "finish", reason: "lost", at: 0 },
  { do: "begin", at: 0 },
];

/**
 * Two recordings back to back open no id twice, neither of things nor of parts, and the second one opens as
 * much as it does alone: the books refuse an id that was used, and its thing would be lost.
 */
export function unique({ adapter, recordings }: AdapterTrial): void {
  for (const [index, first] of recordings.entries()) {
    const second = recordings[(index + 1) % recordings.length] ?? first;
    for (const next of [first, second]) {
      const before = play(adapter, [...first.steps, ...BETWEEN]);
      const { events } = play(adapter, next.steps, before.snapshot);
      const all = [...before.events, ...events];
      const names = `${first.name}, then ${next.name}`;
      expectEqual(repeated(account(all).opened), [], `${names}: ids opened twice`);
      const parts = partsOf(all).map(([, partId]) => partId);
      expectEqual(repeated(parts), [], `${names}: ids of parts used in two messages`);
      expectEqual(
        kindsOf(events),
        kindsOf(play(adapter, next.steps).events),
        `${names}: what the second opened`,
      );
    }
  }
}

/** The kinds of what was opened, but for inputs, whose ids are the host's. */
function kindsOf(events: readonly AgentRuntimeEvent[]): readonly string[] {
  const kinds = account(events).opened.map((id) => id.slice(0, id.indexOf(":")));
  return kinds.filter((kind) => kind !== "input");
}

const ENDED_IDS_BYTES = 64 * 160;
const OPEN_ITEM_BYTES = 800;

/**
 * A recording played twenty times leaves a state bounded by what is open. It is played without ends of
 * connections, so that nothing but the adapter's own care keeps it small.
 */
export function small({ adapter, recordings }: AdapterTrial): void {
  for (const { name, steps } of recordings) {
    const frames = steps.filter((step) => step.do === "frame");
    const after = (times: number): RuntimeSnapshot =>
      play(adapter, Array.from({ length: times }, () => frames).flat()).snapshot;
    const [two, twenty] = [after(2), after(20)];
    const opened = twenty.open.length * OPEN_ITEM_BYTES;
    checkSize(`${name}: the snapshot`, size(two), size(twenty), ENDED_IDS_BYTES + opened);
    checkSize(`${name}: the adapter's state`, size(two.state), size(twenty.state), opened);
  }
}

function checkSize(what: string, afterTwo: number, afterTwenty: number, more: number): void {
  if (afterTwenty <= afterTwo + more) return;
  throw new Error(`${what} has ${afterTwo} bytes after two plays and ${afterTwenty} after twenty`);
}

function size(value: unknown): number {
  return JSON.stringify(value).length;
}
