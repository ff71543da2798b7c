import fc from "fast-check";
import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import {
  type ProjectionSnapshot,
  emptyProjection,
  restoreProjection,
} from "../projection/projection-snapshot.ts";
import type { Projection } from "../projection/projection.ts";
import { apply } from "../projection/projector.ts";
import { type ConformanceCase, runsOf } from "./conformance-case.ts";
import { expectEqual, frozen, thawed } from "./equality.ts";
import { everyEvent } from "./event-factory.ts";
import { hostileValue } from "./frame-arbitraries.ts";
import type { ProjectionLaw, ProjectionSubject, ProjectionTrial } from "./projection-subject.ts";
import { rowLaw } from "./row-law.ts";

/** The laws of projection, put to the test on one projection. What it `supports` decides about the rest. */
export function projectionConformance(subject: ProjectionSubject): readonly ConformanceCase[] {
  const { projection, histories = [], effort, supports } = subject;
  const trial = (): ProjectionTrial => ({
    projection: projection(),
    histories: [everyEvent, ...histories],
    ...(effort === undefined ? undefined : { effort }),
  });
  return (supports?.rows === true ? [...LAWS, rowLaw] : LAWS).map(({ id, title, check }) => ({
    id,
    title,
    run: () => check(trial()),
  }));
}

const LAWS: readonly ProjectionLaw[] = [
  { id: "projection-total", title: "throws nothing, whatever events come in whatever order", check: total },
  {
    id: "projection-pure",
    title: "gives equal output for equal input, and never changes its input",
    check: pure,
  },
  {
    id: "projection-resumable",
    title: "goes on the same from a snapshot that went through JSON, at every event",
    check: resumable,
  },
  { id: "projection-once", title: "is changed by neither a repeat nor a gap", check: once },
  { id: "projection-small", title: "lets go of what is over, however often a history is told", check: small },
];

function total(trial: ProjectionTrial): void {
  const { projection, histories, effort } = trial;
  for (const history of histories) after(projection, history);
  fc.assert(
    fc.property(confused(histories), (events) => {
      after(projection, events);
    }),
    runsOf(effort, 0.67),
  );
  fc.assert(
    fc.property(hostileValue, fc.nat(3), (state, stateVersion) => {
      restoreProjection(projection, { ...emptyProjection(projection), state: state as null, stateVersion });
    }),
    runsOf(effort, 0.67),
  );
}

function pure(trial: ProjectionTrial): void {
  const check = (events: readonly AgentRuntimeEvent[]): void => {
    let snapshot = emptyProjection(trial.projection);
    for (const event of events) {
      const [before, given] = [frozen(snapshot), frozen(event)];
      const applied = apply(trial.projection, before, given);
      expectEqual(apply(trial.projection, before, given), applied, `${event.type} applied again`);
      snapshot = applied.snapshot;
    }
  };
  for (const history of trial.histories) check(history);
  fc.assert(fc.property(confused(trial.histories), check), runsOf(trial.effort, 0.2));
}

function resumable(trial: ProjectionTrial): void {
  const { projection } = trial;
  const check = (events: readonly AgentRuntimeEvent[]): void => {
    let snapshot = emptyProjection(projection);
    for (const event of events) {
      const next = apply(projection, snapshot, event);
      const restored = restoreProjection(projection, thawed(snapshot));
      if (!restored.ok)
        throw new Error(`the state after seq ${snapshot.seq} cannot be read: ${restored.reason}`);
      const resumed = apply(projection, restored.snapshot, event);
      expectEqual(thawed(resumed), thawed(next), `${event.type} applied after a way through JSON`);
      snapshot = next.snapshot;
    }
  };
  for (const history of trial.histories) check(history);
  fc.assert(fc.property(confused(trial.histories), check), runsOf(trial.effort, 0.2));
}

function once({ projection, histories }: ProjectionTrial): void {
  const untouched = (
    before: ProjectionSnapshot,
    event: AgentRuntimeEvent,
    kind: "gap" | "repeated",
  ): void => {
    const applied = apply(projection, before, event);
    expectEqual([applied.kind, applied.output], [kind, []], `${event.type} as a ${kind}`);
    if (applied.snapshot !== before) throw new Error(`${event.type} as a ${kind} changed the snapshot`);
  };
  for (const history of histories) {
    let snapshot = emptyProjection(projection);
    for (const event of history) {
      untouched(snapshot, { ...event, seq: event.seq + 1 }, "gap");
      const { snapshot: next } = apply(projection, snapshot, event);
      untouched(next, event, "repeated");
      snapshot = next;
    }
  }
}

const REMEMBERED_BYTES = 8 * 1024;

function small({ projection, histories }: ProjectionTrial): void {
  for (const history of histories) {
    const size = (times: number): number =>
      JSON.stringify(after(projection, told(history, times)).state).length;
    const [two, twenty] = [size(2), size(20)];
    if (twenty > two + REMEMBERED_BYTES) {
      throw new Error(
        `the state has ${two} bytes after a history was told twice and ${twenty} after twenty times`,
      );
    }
  }
}

function told(history: readonly AgentRuntimeEvent[], times: number): readonly AgentRuntimeEvent[] {
  return numberedAnew(Array.from({ length: times }, () => history).flat());
}

/** Events of the histories in any order, some with one field falsified or of a type from the future, numbered anew. */
function confused(
  histories: readonly (readonly AgentRuntimeEvent[])[],
): fc.Arbitrary<readonly AgentRuntimeEvent[]> {
  const fault = fc.option(fc.tuple(fc.nat(), hostileValue), { nil: undefined, freq: 5 });
  const one = fc
    .tuple(fc.constantFrom(...histories.flat()), fault)
    .map(([event, hit]) => (hit === undefined ? event : falsified(event, ...hit)));
  return fc.array(one, { maxLength: 120 }).map(numberedAnew);
}

function numberedAnew(events: readonly AgentRuntimeEvent[]): readonly AgentRuntimeEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1 }));
}

const FALSIFIED = [
  "type",
  "title",
  "turnId",
  "runId",
  "inputId",
  "messageId",
  "callId",
  "partId",
  "requestId",
  "taskId",
  "code",
  "reason",
  "text",
];

/** A fact that was said otherwise. What was text stays text: events are checked when they are read. */
function falsified(event: AgentRuntimeEvent, place: number, value: unknown): AgentRuntimeEvent {
  const key = FALSIFIED[place % FALSIFIED.length] ?? "title";
  if (typeof value !== "string") return event;
  return { ...event, [key]: key === "type" ? `future.${value}` : value };
}

function after(projection: Projection, events: readonly AgentRuntimeEvent[]): ProjectionSnapshot {
  return events.reduce(
    (snapshot, event) => apply(projection, snapshot, event).snapshot,
    emptyProjection(projection),
  );
}
