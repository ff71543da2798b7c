import { describe, expect, test } from "vitest";
import { type EventAdapter, type EventDraft, type Json, type Reduction, piAdapter } from "../../src/index.ts";
import { piSubject } from "../pi/subject.ts";
import { adapterLaws } from "./adapter-laws.ts";

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
const bad: readonly (readonly [law: string, fault: string, adapter: EventAdapter])[] = [
  [
    "total",
    "throws on a frame it does not like",
    spoilt((real) => (state, frame, context) => {
      if (frame.kind === undefined && frame.payload === null) throw new Error("null");
      return real(state, frame, context);
    }),
  ],
  [
    "total",
    "throws on a stored state that is garbage",
    spoilt((real) => real, { parseState: (value) => (value as { run: Json }).run }),
  ],
  [
    "speaks",
    "keeps silent about what it does not know",
    onEvents((events) => events.filter((event) => event.type !== "diagnostic")),
  ],
  [
    "pure",
    "counts its calls",
    onEvents((events) => {
      calls += 1;
      return events.map((event) => (event.type === "run.started" ? { ...event, cause: `${calls}` } : event));
    }),
  ],
  [
    "pure",
    "changes its input",
    spoilt((real) => (state, frame, context) => {
      if (frame.kind === undefined && typeof frame.payload === "object" && frame.payload !== null)
        Object.assign(frame.payload, { seen: true });
      return real(state, frame, context);
    }),
  ],
  ["resumable", "forgets what was open", spoilt((real) => real, { parseState: () => good.initialState })],
  ["resumable", "cannot read its own state", spoilt((real) => real, { parseState: () => undefined })],
  [
    "expected",
    "never pronounces a verdict",
    onEvents((events) => events.filter((event) => event.type !== "run.ended")),
  ],
  [
    "unique",
    "takes a part id from the content index alone",
    onEvents((events) =>
      events.map((event) =>
        "partId" in event ? { ...event, partId: `p${event.partId.split(".").at(-1) ?? ""}` } : event,
      ),
    ),
  ],
  [
    "small",
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

describe("the kit finds adapters that break a law", () => {
  test.each(bad)("%s: an adapter that %s", (name, _fault, adapter) => {
    const law = adapterLaws.find((known) => known.name === name);
    expect(() => law?.check({ ...piSubject, adapter })).toThrow();
  });
});
