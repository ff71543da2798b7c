import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  type AgentRuntimeEvent,
  type EventAdapter,
  type Json,
  type RawFrame,
  type RuntimeSnapshot,
  emit,
  emptySnapshot,
} from "../../src/index.ts";
import { account, partsOf, repeated } from "./books.ts";
import { damagedRecording, hostileFrame, hostileValue, randomFrame } from "./frame-arbitraries.ts";
import { type Recording, type Step, frame, play, take } from "./play.ts";

/** An adapter with what is needed to put it to the test. */
export interface Subject {
  readonly adapter: EventAdapter;
  readonly recordings: readonly Recording[];
  /** Names the kind of a frame, such as `response get_state`. */
  readonly kindOf: (frame: RawFrame) => string;
  /** Kinds of frames that may say nothing. */
  readonly silent: ReadonlySet<string>;
  /** Types and fields of the dialect, from which hostile frames are made. */
  readonly vocabulary: { readonly types: readonly string[]; readonly fields: readonly string[] };
}

/** One promise that every adapter keeps, and how it is put to the test. `check` throws when it is broken. */
export interface AdapterLaw {
  readonly name: string;
  readonly says: string;
  readonly check: (subject: Subject) => void;
}

/** The laws of translation, as data. */
export const adapterLaws: readonly AdapterLaw[] = [
  { name: "expected", says: "every recording comes to the outcomes that its case names", check: expected },
  { name: "total", says: "nothing throws, whatever comes", check: total },
  { name: "speaks", says: "every frame is translated, or known and silent, or a diagnostic", check: speaks },
  { name: "pure", says: "equal input gives equal output, and input is never changed", check: pure },
  {
    name: "resumable",
    says: "a snapshot that went through JSON goes on the same, at every frame",
    check: resumable,
  },
  {
    name: "numbered",
    says: "seq has no gap over any mix of translate, emit, finish and begin",
    check: numbered,
  },
  { name: "balanced", says: "after finish everything that started has ended, once", check: balanced },
  { name: "unique", says: "two recordings back to back open no id twice", check: unique },
  {
    name: "small",
    says: "the state after twenty plays of a recording is bounded by what is open",
    check: small,
  },
];

const RUNS = { numRuns: 150 };

function stories(subject: Subject): fc.Arbitrary<readonly Step[]> {
  const { types, fields } = subject.vocabulary;
  const foreign = fc.oneof(hostileFrame(types, fields), randomFrame);
  return fc.oneof(
    damagedRecording(subject.recordings, foreign),
    fc.array(foreign.map(frame), { maxLength: 60 }),
  );
}

function expected({ adapter, recordings }: Subject): void {
  for (const { name, steps, runs, inputs } of recordings) {
    const { events } = play(adapter, steps);
    const faults = events.filter((event) => event.type === "diagnostic" && event.code.startsWith("adapter."));
    const said = {
      runs: events.flatMap((event) =>
        event.type === "run.ended" ? [`${event.outcome} ${event.reason}`] : [],
      ),
      inputs: events.flatMap((event) => (event.type === "input.ended" ? [event.outcome] : [])),
    };
    deepStrictEqual({ name, ...said, faults }, { name, runs, inputs, faults: [] });
  }
}

function total(subject: Subject): void {
  const { adapter } = subject;
  fc.assert(
    fc.property(stories(subject), (steps) => {
      deepStrictEqual(faultsIn(play(adapter, steps).events), []);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(hostileValue, fc.nat(3), (value, version) => {
      adapter.parseState(value as Json, version);
    }),
    RUNS,
  );
}

/** The translator catches what an adapter throws; the kit does not let it pass. */
function faultsIn(events: readonly AgentRuntimeEvent[]): readonly AgentRuntimeEvent[] {
  return events.filter((event) => event.type === "diagnostic" && event.code === "adapter.threw");
}

function speaks(subject: Subject): void {
  const { adapter, recordings, silent } = subject;
  for (const { name, steps } of recordings) {
    let snapshot = emptySnapshot("session");
    for (const step of steps) {
      const next = take(adapter, snapshot, step);
      if (step.do === "frame" && isMute(snapshot, next) && !silent.has(subject.kindOf(step.frame))) {
        throw new Error(`${name}: nothing is said of a frame of kind "${subject.kindOf(step.frame)}"`);
      }
      snapshot = next.snapshot;
    }
  }
  const unknown = fc.oneof(
    fc.string().map((type) => ({ type: `x-${type}` })),
    hostileValue,
  );
  fc.assert(
    fc.property(unknown, fc.constantFrom("sent" as const, "received" as const), (payload, dir) => {
      const { events } = play(adapter, [frame({ dir, channel: "", payload, at: 0 })]);
      if (events.length === 0) throw new Error("nothing is said of a frame that no dialect knows");
    }),
    RUNS,
  );
}

/** A coalesced diagnostic is no event of its own, but it is counted. */
function isMute(
  before: RuntimeSnapshot,
  after: { readonly snapshot: RuntimeSnapshot; readonly events: readonly AgentRuntimeEvent[] },
): boolean {
  return after.events.length === 0 && after.snapshot.diagnostics === before.diagnostics;
}

function pure(subject: Subject): void {
  const check = (steps: readonly Step[]): void => {
    let snapshot = emptySnapshot("session");
    for (const step of steps) {
      const [given, before] = [freeze(step), freeze(snapshot)];
      const first = take(subject.adapter, before, given);
      deepStrictEqual(take(subject.adapter, before, given), first);
      deepStrictEqual(faultsIn(first.events), []);
      snapshot = first.snapshot;
    }
  };
  for (const { steps } of subject.recordings) check(steps);
  fc.assert(fc.property(stories(subject), check), { numRuns: 40 });
}

// Each cut is made between two frames, and one frame is taken on both sides of it: all cuts together
// show that going on from any of them gives the same events.
function resumable(subject: Subject): void {
  const check = (steps: readonly Step[]): void => {
    let snapshot = emptySnapshot("session");
    for (const step of steps) {
      const next = take(subject.adapter, snapshot, step);
      const resumed = take(subject.adapter, thawed(snapshot), step);
      deepStrictEqual(resumed.events, next.events);
      deepStrictEqual(thawed(resumed.snapshot), thawed(next.snapshot));
      snapshot = next.snapshot;
    }
  };
  for (const { steps } of subject.recordings) check(steps);
  fc.assert(fc.property(stories(subject), check), { numRuns: 40 });
}

function numbered(subject: Subject): void {
  const more = fc.array(fc.constantFrom("emit", "finish", "begin"), { maxLength: 8 });
  fc.assert(
    fc.property(stories(subject), more, fc.nat(), (steps, others, seed) => {
      let snapshot = emptySnapshot("session");
      let last = 0;
      const note = (step: {
        readonly snapshot: RuntimeSnapshot;
        readonly events: readonly AgentRuntimeEvent[];
      }): void => {
        for (const event of step.events) {
          deepStrictEqual(event.seq, last + 1);
          last = event.seq;
        }
        deepStrictEqual(step.snapshot.seq, last);
        snapshot = step.snapshot;
      };
      for (const [index, step] of steps.entries()) {
        const other = others[(index + seed) % 17];
        if (other === "emit") note(emit(snapshot, [{ type: "session.status", status: "busy" }], 1));
        if (other === "finish")
          note(take(subject.adapter, snapshot, { do: "finish", reason: "ended", at: 1 }));
        if (other === "begin") note(take(subject.adapter, snapshot, { do: "begin", at: 1 }));
        note(take(subject.adapter, snapshot, step));
      }
    }),
    RUNS,
  );
}

function balanced(subject: Subject): void {
  const check = (steps: readonly Step[]): void => {
    const { events, snapshot } = play(subject.adapter, [...steps, { do: "finish", reason: "ended", at: 0 }]);
    const { opened, ended } = account(events);
    deepStrictEqual([...ended].toSorted(), [...opened].toSorted());
    deepStrictEqual(snapshot.open, []);
  };
  for (const { steps } of subject.recordings) check(steps);
  fc.assert(fc.property(stories(subject), check), RUNS);
}

function unique(subject: Subject): void {
  const { adapter, recordings } = subject;
  const between: readonly Step[] = [
    { do: "finish", reason: "lost", at: 0 },
    { do: "begin", at: 0 },
  ];
  for (const [index, first] of recordings.entries()) {
    const second = recordings[(index + 1) % recordings.length] ?? first;
    for (const next of [first, second]) {
      const { events } = play(adapter, [...first.steps, ...between, ...next.steps]);
      deepStrictEqual(repeated(account(events).opened), []);
      deepStrictEqual(repeated(partsOf(events).map((mention) => mention.split(" ")[1] ?? "")), []);
    }
  }
}

const ENDED_IDS_BYTES = 64 * 160;
const OPEN_ITEM_BYTES = 800;

// Played without ends of connections, so that nothing but the adapter's own care keeps its state small.
function small({ adapter, recordings }: Subject): void {
  for (const { name, steps } of recordings) {
    const frames = steps.filter((step) => step.do === "frame");
    const after = (times: number): RuntimeSnapshot =>
      play(adapter, Array.from({ length: times }, () => frames).flat()).snapshot;
    const [two, twenty] = [after(2), after(20)];
    const limit = size(two) + ENDED_IDS_BYTES + twenty.open.length * OPEN_ITEM_BYTES;
    if (size(twenty) > limit)
      throw new Error(`${name}: ${size(two)} bytes after two plays, ${size(twenty)} after twenty`);
    if (size(twenty.state) > size(two.state) + twenty.open.length * OPEN_ITEM_BYTES) {
      throw new Error(
        `${name}: the adapter's state grew from ${size(two.state)} to ${size(twenty.state)} bytes`,
      );
    }
  }
}

function size(value: unknown): number {
  return JSON.stringify(value).length;
}

function thawed(snapshot: RuntimeSnapshot): RuntimeSnapshot {
  return JSON.parse(JSON.stringify(snapshot)) as RuntimeSnapshot;
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
