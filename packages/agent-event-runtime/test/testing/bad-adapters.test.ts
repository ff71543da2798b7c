import { describe, expect, test } from "vitest";
import { type EventAdapter, type EventDraft, type Json, type Reduction, piAdapter } from "../../src/index.ts";
import { adapterConformance } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";

type Reduce = EventAdapter["reduce"];

const good: EventAdapter = piAdapter;

function spoilt(reduce: (real: Reduce) => Reduce, more: Partial<EventAdapter> = {}): EventAdapter {
  return { ...good, reduce: reduce((state, frame, context) => good.reduce(state, frame, context)), ...more };
}

function onEvents(
  change: (events: readonly EventDraft[], frame: number) => readonly EventDraft[],
): EventAdapter {
  return spoilt((real) => (state, frame, context): Reduction<Json> => {
    const step = real(state, frame, context);
    return { ...step, events: change(step.events, context.frame) };
  });
}

let calls = 0;

/** Adapters that break one promise each: the kit is worth what it finds. */
const bad: readonly (readonly [id: string, fault: string, adapter: EventAdapter])[] = [
  [
    "adapter-total",
    "throws on a frame it does not like",
    spoilt((real) => (state, frame, context) => {
      if (frame.kind === undefined && frame.payload === null) throw new Error("null");
      return real(state, frame, context);
    }),
  ],
  [
    "adapter-total",
    "throws on a stored state that is garbage",
    spoilt((real) => real, { parseState: (value) => (value as { run: Json }).run }),
  ],
  ["adapter-total", "believes every stored state", spoilt((real) => real, { parseState: (value) => value })],
  [
    "adapter-speaks",
    "keeps silent about what it does not know",
    onEvents((events) => events.filter((event) => event.type !== "diagnostic")),
  ],
  [
    "adapter-pure",
    "counts its calls",
    onEvents((events) => {
      calls += 1;
      return events.map((event) => (event.type === "run.started" ? { ...event, cause: `${calls}` } : event));
    }),
  ],
  [
    "adapter-pure",
    "changes its input",
    spoilt((real) => (state, frame, context) => {
      if (frame.kind === undefined && typeof frame.payload === "object" && frame.payload !== null)
        Object.assign(frame.payload, { seen: true });
      return real(state, frame, context);
    }),
  ],
  [
    "adapter-resumable",
    "forgets what was open",
    spoilt((real) => real, { parseState: () => good.initialState }),
  ],
  ["adapter-resumable", "cannot read its own state", spoilt((real) => real, { parseState: () => undefined })],
  [
    "adapter-expected",
    "never pronounces a verdict",
    onEvents((events) => events.filter((event) => event.type !== "run.ended")),
  ],
  [
    "adapter-balanced",
    "says what only the host can say",
    onEvents((events, frame) =>
      frame === 1
        ? [
            { type: "harness.started", harnessId: "pi", access: "native", connection: 1, resumed: false },
            ...events,
          ]
        : events,
    ),
  ],
  [
    "adapter-unique",
    "takes a part id from the content index alone",
    onEvents((events) =>
      events.map((event) =>
        "partId" in event ? { ...event, partId: `p${event.partId.split(".").at(-1) ?? ""}` } : event,
      ),
    ),
  ],
  [
    "adapter-small",
    "remembers every frame",
    spoilt((real) => (state, frame, context) => {
      const step = real(state, frame, context);
      const inner = step.state as { readonly shells: readonly Json[] };
      return {
        ...step,
        state: { ...inner, shells: [...inner.shells, { ask: null, callId: `b${context.frame}` }] },
      };
    }),
  ],
];

/** The recordings that show each fault, so that the kit has little to read. */
const recordings = piSubject.recordings.filter(({ name }) => /-(02|06|08|14|43)-/.test(name));

describe("the kit finds adapters that break a law", () => {
  test.each(bad)("%s: an adapter that %s", (id, _fault, adapter) => {
    const cases = adapterConformance({ ...piSubject, recordings, adapter: () => adapter });
    expect(cases.find((one) => one.id === id)?.run).toThrow();
  });

  test("has no case that no bad adapter fails", () => {
    // The translator alone gives numbers, whatever an adapter says: see its own tests.
    const failed = new Set(["adapter-numbered", ...bad.map(([id]) => id)]);
    expect(adapterConformance(piSubject).filter(({ id }) => !failed.has(id))).toEqual([]);
  });

  test("and lets a good one pass with the same recordings", () => {
    for (const { run } of adapterConformance({ ...piSubject, recordings })) run();
    expect(recordings.length).toBeGreaterThan(4);
  });
});
