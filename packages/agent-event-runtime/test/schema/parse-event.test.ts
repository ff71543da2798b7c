import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentRuntimeEvent, adapters, apply, emptyProjection, transcript } from "../../src/index.ts";
import { eventSchemas, parseEvent } from "../../src/schema/index.ts";
import { everyEvent, hostileValue } from "../../src/testing/index.ts";
import { recordedHistories, subjects } from "../subjects.ts";
import { fullEvent, fullEvents } from "./full-events.ts";

const place = { v: 1, seq: 7, sessionId: "session-1", time: 1000, adapter: "pi" };

describe("an event that is read from outside", () => {
  test.each(fullEvents)("comes back equal: $type with all its fields", (event) => {
    checkRoundTrip(event);
  });

  test.each(recordedHistories())("comes back equal: every event of $name", ({ events }) => {
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) checkRoundTrip(event);
  });

  test("is tried with recordings of every adapter", () => {
    const tried = subjects.map(({ adapter }) => adapter().id);
    expect(tried.toSorted()).toEqual([...adapters.keys()].toSorted());
  });

  test("loses the fields that this version does not know, at every depth", () => {
    const event = fullEvent("run.ended");
    const later = { ...event, mood: "good", error: { message: "no", hint: "later" } };
    expect(parseEvent(later)).toStrictEqual({ ...event, error: { message: "no" } });
    fc.assert(
      fc.property(fc.constantFrom(...fullEvents), fc.string(), hostileValue, (whole, name, value) => {
        fc.pre(!Object.hasOwn(whole, name));
        deepStrictEqual(parseEvent({ [name]: value, ...whole }), whole);
      }),
    );
  });
});

describe("an event from the future", () => {
  test("is a diagnostic in the same place, with what else can be read of its envelope", () => {
    const future = { ...fullEvent("tool.ended"), type: "tool.teleported", where: "Mars", runId: 7 };
    expect(parseEvent(future)).toStrictEqual({
      v: 1,
      seq: 7,
      sessionId: "session-1",
      time: 1_700_000_000_000,
      adapter: "pi",
      frame: 3,
      turnId: "turn-1",
      agent: ["task-1", "task-0"],
      late: true,
      replayed: true,
      type: "diagnostic",
      code: "event.unknown-type",
      severity: "warning",
      message:
        'An event of type "tool.teleported", version 1, is not known to this version of the software and was skipped.',
      detail: { type: "tool.teleported", v: 1 },
    });
  });

  test("is one whose envelope has a later version, whatever its type", () => {
    expect(parseEvent({ ...fullEvent("turn.started"), v: 2 })).toMatchObject({
      v: 1,
      seq: 7,
      code: "event.unknown-type",
      detail: { type: "turn.started", v: 2 },
    });
  });

  test("keeps its place, whatever its type is called", () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("__proto__", "constructor", "toString", "x".repeat(5000)),
    );
    fc.assert(
      fc.property(name, fc.dictionary(fc.string(), hostileValue), (type, body) => {
        fc.pre(!Object.hasOwn(eventSchemas, type));
        const parsed = parseEvent({ ...body, ...place, type });
        expect(parsed).toMatchObject({ ...place, type: "diagnostic", code: "event.unknown-type" });
        expect(JSON.stringify(parsed).length).toBeLessThan(2000);
      }),
    );
  });

  test("leaves no gap in the views that read the stream", () => {
    const stream = everyEvent.map((event, index) =>
      index % 3 === 0 ? { ...event, type: `${event.type}.later` } : event,
    );
    let snapshot = emptyProjection(transcript);
    for (const record of stream) {
      const event = parseEvent(JSON.parse(JSON.stringify(record)));
      expect(event?.seq).toBe(snapshot.seq + 1);
      const applied = apply(transcript, snapshot, event as AgentRuntimeEvent);
      expect(applied.kind).toBe("applied");
      snapshot = applied.snapshot;
    }
  });
});

describe("an event that does not fit its type", () => {
  test("is a diagnostic that names the fields and not what is in them", () => {
    const secret = "hunter2";
    const parsed = parseEvent({
      ...place,
      type: "turn.ended",
      turnId: "t",
      outcome: secret,
      error: { code: 7 },
    });
    expect(parsed).toStrictEqual({
      ...place,
      turnId: "t",
      type: "diagnostic",
      code: "event.invalid",
      severity: "warning",
      message:
        'An event of type "turn.ended" has fields that do not fit (outcome, reason, error.message, error.code) and was skipped.',
      detail: {
        type: "turn.ended",
        fields: ["outcome", "reason", "error.message", "error.code"],
      },
    });
    expect(JSON.stringify(parsed)).not.toContain(secret);
  });

  test("is a diagnostic when a JSON field holds what JSON cannot say", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const native of [Number.NaN, () => 1, cycle, new Date(0), undefined]) {
      const parsed = parseEvent({ ...fullEvent("question.requested"), native });
      expect(parsed).toMatchObject({ code: "event.invalid", detail: { fields: ["native"] } });
    }
  });

  test("is a diagnostic, too, when it has no type or no version", () => {
    expect(parseEvent(place)).toMatchObject({ ...place, code: "event.invalid" });
    const { v: _, ...unversioned } = fullEvent("turn.started");
    expect(parseEvent(unversioned)).toMatchObject({ seq: 7, v: 1, code: "event.invalid" });
  });

  test("has no adapter when that cannot be read", () => {
    expect(parseEvent({ ...place, adapter: 7, type: "recovery.ended" })).toMatchObject({
      adapter: "",
      code: "event.invalid",
      detail: { fields: ["adapter"] },
    });
  });
});

describe("what is no event", () => {
  test.each([
    undefined,
    null,
    7,
    "event",
    [],
    {},
    { type: "recovery.ended" },
    { ...place, seq: 0 },
    { ...place, seq: 1.5 },
    { ...place, seq: "1" },
    { ...place, sessionId: undefined },
    { ...place, time: null },
  ])("is nothing: %j", (value) => {
    expect(parseEvent(value)).toBeUndefined();
  });

  test("never throws, and what comes of it is an event or nothing", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    });
    const fake = fc
      .tuple(fc.constantFrom(...fullEvents), fc.dictionary(fc.constantFrom(...fieldNames()), anything))
      .map(([event, fields]) => ({ ...event, ...fields }));
    fc.assert(
      fc.property(fc.oneof(anything, fake), (value) => {
        checkParsed(value);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(["type", "seq", "turnId", "agent"])("never throws, not even when %s does", (name) => {
    const turn = fullEvent("turn.started");
    const get = (): never => {
      throw new Error("hands off");
    };
    const parsed = parseEvent(Object.defineProperty({ ...turn }, name, { get, enumerable: true }));
    if (parsed !== undefined) expect(parsed).toMatchObject({ seq: 7, code: "event.invalid" });
    const everywhere = { get, has: get, ownKeys: get, getOwnPropertyDescriptor: get };
    expect(parseEvent(new Proxy({ ...turn }, everywhere))).toBeUndefined();
  });

  test("never hides a fault: a damaged event is equal, a diagnostic in its place, or nothing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fullEvents), fc.nat(), hostileValue, (event, path, value) => {
        checkParsed(damaged(event, path, value));
      }),
      { numRuns: 2000 },
    );
  });
});

function checkRoundTrip(event: AgentRuntimeEvent): void {
  deepStrictEqual(parseEvent(event), event);
  deepStrictEqual(parseEvent(JSON.parse(JSON.stringify(event))), event);
}

function fieldNames(): readonly string[] {
  return [...new Set(fullEvents.flatMap((event) => Object.keys(event)))];
}

/** The answer is nothing, the event itself, or a diagnostic; and it is an event that can be read again. */
function checkParsed(value: unknown): void {
  const parsed = parseEvent(value);
  if (parsed === undefined) return;
  deepStrictEqual(parseEvent(parsed), parsed);
  const given = value as AgentRuntimeEvent;
  if (parsed.type !== "diagnostic") expect(value).toMatchObject(parsed);
  else expect([parsed.seq, parsed.sessionId, parsed.time]).toEqual([given.seq, given.sessionId, given.time]);
}

/** The value with one field, somewhere in it, replaced. */
function damaged(whole: unknown, path: number, value: unknown): unknown {
  if (typeof whole !== "object" || whole === null) return value;
  const entries = Object.entries(whole);
  if (entries.length === 0) return value;
  const at = path % entries.length;
  const deeper = Math.floor(path / entries.length);
  const changed = entries.map(([key, inner], index) => {
    if (index !== at) return [key, inner] as const;
    return [key, deeper % 2 === 0 ? value : damaged(inner, Math.floor(deeper / 2), value)] as const;
  });
  return Array.isArray(whole) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
}
