import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  type AgentRuntimeEvent,
  type Projection,
  type ProjectionSnapshot,
  apply,
  emptyProjection,
  restoreProjection,
} from "../../src/index.ts";
import { hostileValue } from "./frame-arbitraries.ts";

/** A projection with histories to project. */
interface ProjectionSubject {
  readonly projection: Projection;
  /** Each numbered from 1, and whole: at its end nothing is open. */
  readonly histories: readonly (readonly AgentRuntimeEvent[])[];
}

/** One promise that every projection keeps. `check` throws when it is broken. */
export interface ProjectionLaw {
  readonly name: string;
  readonly says: string;
  readonly check: (subject: ProjectionSubject) => void;
}

/** The laws of projection, as data. */
export const projectionLaws: readonly ProjectionLaw[] = [
  { name: "total", says: "nothing throws, whatever events come in whatever order", check: total },
  { name: "pure", says: "equal input gives equal output, and input is never changed", check: pure },
  {
    name: "resumable",
    says: "a snapshot that went through JSON goes on the same, at every event",
    check: resumable,
  },
  { name: "once", says: "a repeat or a gap changes nothing", check: once },
  { name: "small", says: "what is over leaves the state", check: small },
];

const RUNS = { numRuns: 100 };

/** Events of the histories in any order, some with one field falsified, numbered anew. */
function confused({ histories }: ProjectionSubject): fc.Arbitrary<readonly AgentRuntimeEvent[]> {
  const all = histories.flat();
  const one = fc
    .tuple(fc.constantFrom(...all), fc.option(fc.tuple(fc.nat(), hostileValue), { nil: undefined, freq: 5 }))
    .map(([event, fault]) => (fault === undefined ? event : falsified(event, ...fault)));
  return fc
    .array(one, { maxLength: 120 })
    .map((events) => events.map((event, index) => ({ ...event, seq: index + 1 })));
}

/** Optional facts that were said otherwise: what identifies an event and its shape stays. */
function falsified(event: AgentRuntimeEvent, place: number, value: unknown): AgentRuntimeEvent {
  const keys = [
    "title",
    "turnId",
    "runId",
    "inputId",
    "messageId",
    "callId",
    "partId",
    "code",
    "reason",
    "text",
  ];
  const key = keys[place % keys.length] ?? "title";
  return typeof value === "string" ? { ...event, [key]: value } : event;
}

function total(subject: ProjectionSubject): void {
  const { projection } = subject;
  fc.assert(
    fc.property(confused(subject), (events) => {
      run(projection, events);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(hostileValue, fc.nat(3), (state, stateVersion) => {
      restoreProjection(projection, { ...emptyProjection(projection), state: state as null, stateVersion });
    }),
    RUNS,
  );
}

function pure(subject: ProjectionSubject): void {
  const check = (events: readonly AgentRuntimeEvent[]): void => {
    let snapshot = emptyProjection(subject.projection);
    for (const event of events) {
      const [before, given] = [freeze(snapshot), freeze(event)];
      const applied = apply(subject.projection, before, given);
      deepStrictEqual(apply(subject.projection, before, given), applied);
      snapshot = applied.snapshot;
    }
  };
  for (const history of subject.histories) check(history);
  fc.assert(fc.property(confused(subject), check), { numRuns: 30 });
}

function resumable(subject: ProjectionSubject): void {
  const { projection } = subject;
  const check = (events: readonly AgentRuntimeEvent[]): void => {
    let snapshot = emptyProjection(projection);
    for (const event of events) {
      const next = apply(projection, snapshot, event);
      const restored = restoreProjection(projection, thawed(snapshot));
      if (!restored.ok)
        throw new Error(`the state after seq ${snapshot.seq} cannot be read back: ${restored.reason}`);
      const resumed = apply(projection, restored.snapshot, event);
      deepStrictEqual(thawed(resumed), thawed(next));
      snapshot = next.snapshot;
    }
  };
  for (const history of subject.histories) check(history);
  fc.assert(fc.property(confused(subject), check), { numRuns: 30 });
}

function once({ projection, histories }: ProjectionSubject): void {
  for (const history of histories) {
    let snapshot = emptyProjection(projection);
    for (const event of history) {
      const ahead = apply(projection, snapshot, { ...event, seq: event.seq + 1 });
      deepStrictEqual([ahead.kind, ahead.snapshot === snapshot, ahead.output], ["gap", true, []]);
      const { snapshot: next } = apply(projection, snapshot, event);
      const again = apply(projection, next, event);
      deepStrictEqual([again.kind, again.snapshot === next, again.output], ["repeated", true, []]);
      snapshot = next;
    }
  }
}

const REMEMBERED_BYTES = 8 * 1024;

function small({ projection, histories }: ProjectionSubject): void {
  for (const history of histories) {
    const twice = [...history, ...history.map((event) => ({ ...event, seq: event.seq + history.length }))];
    const left = JSON.stringify(run(projection, twice).state).length;
    if (left > REMEMBERED_BYTES)
      throw new Error(`${left} bytes are left in the state when everything is over`);
  }
}

function run(projection: Projection, events: readonly AgentRuntimeEvent[]): ProjectionSnapshot {
  return events.reduce(
    (snapshot, event) => apply(projection, snapshot, event).snapshot,
    emptyProjection(projection),
  );
}

function thawed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
