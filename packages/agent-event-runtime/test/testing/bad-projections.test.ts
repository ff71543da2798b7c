import { describe, expect, test } from "vitest";
import { type Json, type Projected, type Projection, transcript } from "../../src/index.ts";
import { play, projectionConformance } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";

const good: Projection = transcript;
type Project = Projection["project"];

function spoilt(project: (real: Project) => Project, more: Partial<Projection> = {}): Projection {
  return { ...good, project: project((state, event) => good.project(state, event)), ...more };
}

/** The good one with its rows changed. */
function onRows(change: (row: Row, seq: number) => Row): Projection {
  return spoilt((real) => (state, event): Projected<Json, unknown> => {
    const { state: next, output } = real(state, event);
    return { state: next, output: output.map((row) => change(row as Row, event.seq)) };
  });
}

interface Row {
  readonly rowId: string;
  readonly ordinal: number;
}

let calls = 0;

/** Projections that break one promise each. */
const bad: readonly (readonly [id: string, fault: string, projection: () => Projection])[] = [
  [
    "projection-total",
    "throws on an event of a type from the future",
    () =>
      spoilt((real) => (state, event) => {
        if (event.type.startsWith("future.")) throw new Error("unknown type");
        return real(state, event);
      }),
  ],
  [
    "projection-total",
    "throws on the end of what never began",
    () => {
      const known = new Set<string>();
      return spoilt((real) => (state, event) => {
        if (event.seq === 1) known.clear(); // another session, in which the same ids may occur
        if (event.type === "tool.started") known.add(event.callId);
        if (event.type === "tool.ended" && !known.has(event.callId))
          throw new Error(`no tool ${event.callId}`);
        return real(state, event);
      });
    },
  ],
  [
    "projection-total",
    "throws on a stored state that is garbage",
    () => spoilt((real) => real, { parseState: (value) => (value as { open: Json }).open }),
  ],
  ["projection-pure", "counts its calls", () => onRows((row) => ({ ...row, rowId: `${(calls += 1)}` }))],
  [
    "projection-pure",
    "changes the event",
    () =>
      spoilt((real) => (state, event) => {
        Object.assign(event, { seen: true });
        return real(state, event);
      }),
  ],
  [
    "projection-pure",
    "changes its state in place",
    () =>
      spoilt((real) => (state, event) => {
        const next = real(state, event);
        if (event.type === "turn.queued") (state as { turns: Json[] }).turns.push(["x", 1]);
        return next;
      }),
  ],
  [
    "projection-resumable",
    "forgets what was open",
    () => spoilt((real) => real, { parseState: () => good.initialState }),
  ],
  [
    "projection-resumable",
    "cannot read its own state",
    () => spoilt((real) => real, { parseState: () => undefined }),
  ],
  [
    "projection-resumable",
    "keeps something that JSON cannot carry",
    () =>
      spoilt(
        (real) => (state, event) => {
          const { inner, seen } = state as unknown as { inner: Json; seen: ReadonlySet<string> | object };
          const known = seen instanceof Set ? (seen as ReadonlySet<string>) : new Set<string>();
          const { state: next, output } = real(inner, event);
          const state2 = { inner: next, seen: new Set([...known, event.type]) };
          return { state: state2 as unknown as Json, output: known.has(event.type) ? [] : output };
        },
        {
          initialState: { inner: good.initialState, seen: new Set() } as unknown as Json,
          parseState: (value) => value,
        },
      ),
  ],
  [
    "projection-small",
    "keeps every event",
    () =>
      spoilt(
        (real) => (state, event) => {
          const { inner, all } = state as { inner: Json; all: readonly Json[] };
          const { state: next, output } = real(inner, event);
          return { state: { inner: next, all: [...all, event.type] }, output };
        },
        { initialState: { inner: good.initialState, all: [] }, parseState: (value) => value },
      ),
  ],
  [
    "projection-rows",
    "moves a row each time it is written",
    () => onRows((row, seq) => ({ ...row, ordinal: seq })),
  ],
  ["projection-rows", "puts all rows in one place", () => onRows((row) => ({ ...row, ordinal: 1 }))],
  [
    "projection-rows",
    "writes something that is no row",
    () => onRows((row) => ({ text: row.rowId }) as unknown as Row),
  ],
];

const histories = piSubject.recordings
  .filter(({ name }) => /-(08|14|43)-/.test(name))
  .map(({ steps }) => play(piSubject.adapter(), steps).events);

describe("the kit finds projections that break a law", () => {
  test.each(bad)("%s: a projection that %s", (id, _fault, projection) => {
    const cases = projectionConformance({ projection, histories, supports: { rows: true } });
    expect(cases.find((one) => one.id === id)?.run).toThrow();
  });

  test("has no case that no bad projection fails, but for the one that apply keeps for all", () => {
    const failed = new Set(bad.map(([id]) => id));
    const cases = projectionConformance({ projection: () => good, supports: { rows: true } });
    expect(cases.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual(["projection-once"]);
  });

  test("and asks for rows only of those that say they have some", () => {
    const ids = projectionConformance({ projection: () => good }).map(({ id }) => id);
    expect(ids).toEqual([
      "projection-total",
      "projection-pure",
      "projection-resumable",
      "projection-once",
      "projection-small",
    ]);
  });
});
