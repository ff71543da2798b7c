import { describe, expect, test } from "vitest";
import { type Json, type Router, singleSession } from "../../src/index.ts";
import { type ConformanceCase, adapterConformance } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";

function casesOf(router: () => Router): readonly ConformanceCase[] {
  const recordings = piSubject.recordings.slice(0, 2);
  const cases = adapterConformance({ ...piSubject, recordings, supports: { router } });
  return cases.filter(({ id }) => id.startsWith("router-"));
}

/** Gives the number of frames so far along, in a state of the given kind. */
function counting(initial: Json, next: (state: Json) => Json): Router {
  return {
    initialState: initial,
    route: (state, frame) => ({
      state: next(state),
      deliveries: [{ nativeSessionId: String(JSON.stringify(state)), frame }],
    }),
  };
}

let calls = 0;

/** Routers that break one promise each. */
const bad: readonly (readonly [id: string, fault: string, router: Router])[] = [
  [
    "router-total",
    "throws on a frame without a payload",
    {
      initialState: null,
      route(state, frame) {
        if (frame.kind !== undefined) throw new Error("no payload");
        return { state, deliveries: [{ frame }] };
      },
    },
  ],
  ["router-pure", "counts its calls", counting(0, () => (calls += 1))],
  [
    "router-pure",
    "changes its state in place",
    counting([0], (state) => {
      (state as number[])[0]! += 1;
      return state;
    }),
  ],
  [
    "router-resumable",
    "keeps something that JSON cannot carry",
    counting(new Map() as unknown as Json, (state) => {
      const known: unknown = state;
      const size = known instanceof Map ? known.size : 0;
      return new Map([["size", size + 1]]) as unknown as Json;
    }),
  ],
  [
    "router-resumable",
    "counts past what JSON can carry",
    counting(Number.POSITIVE_INFINITY, (state) => state),
  ],
];

describe("the kit finds routers that break a law", () => {
  test.each(bad)("%s: a router that %s", (id, _fault, router) => {
    expect(casesOf(() => router).find((one) => one.id === id)?.run).toThrow();
  });

  test("and lets sound ones pass", () => {
    const cases = [
      ...casesOf(() => singleSession),
      ...casesOf(() => counting(0, (state) => Number(state) + 1)),
    ];
    expect(cases).toHaveLength(6);
    for (const { run } of cases) expect(run).not.toThrow();
  });
});
