import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJson } from "../../src/schema/json-value.ts";

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });

describe("a JSON value", () => {
  test("is whatever JSON.parse answers", () => {
    fc.assert(fc.property(fc.json({ maxDepth: 8 }), (text) => isJson(JSON.parse(text))));
  });

  test("comes back the same from JSON", () => {
    fc.assert(
      fc.property(anything, (value) => {
        if (isJson(value)) expect(JSON.parse(JSON.stringify(value))).toEqual(withoutNegativeZero(value));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["undefined", undefined],
    ["a function", { call: () => 1 }],
    ["a number that JSON cannot say", [Number.NaN]],
    ["a date", { at: new Date(0) }],
    ["a map", new Map()],
    ["a hole in a list", [1, undefined]],
  ])("is not %s", (_name, value) => {
    expect(isJson(value)).toBe(false);
  });

  test("is not a cycle, and nothing of endless depth", () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect([isJson(cycle), isJson(deep)]).toEqual([false, false]);
  });

  test("may hold one object in many places, and is looked through in time that does not explode", () => {
    let shared: unknown = { leaf: 1 };
    for (let level = 0; level < 200; level += 1) shared = [shared, shared];
    expect(isJson(shared)).toBe(true);
  });
});

/** JSON has one zero. */
function withoutNegativeZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutNegativeZero(inner)] as const);
  return Object.fromEntries(entries);
}
