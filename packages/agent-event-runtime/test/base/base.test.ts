import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertNever } from "../../src/base/assert-never.ts";
import { fingerprint } from "../../src/base/fingerprint.ts";
import { toJson } from "../../src/base/json.ts";
import { assign, lookup, omit } from "../../src/base/keyed-list.ts";
import { field, flag, list, number, record, text } from "../../src/base/read.ts";

describe("the fingerprint of a text", () => {
  test("is equal exactly for equal texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(fingerprint(a) === fingerprint(b)).toBe(a === b);
      }),
      { numRuns: 2000 },
    );
  });

  test("is short for a long text", () => {
    expect(fingerprint("x".repeat(1_000_000)).length).toBeLessThan(32);
  });
});

describe("toJson", () => {
  test("copies JSON as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toEqual(value);
      }),
    );
  });

  test("says of anything what JSON can say of it", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          const said = toJson(value);
          if (said !== undefined)
            expect(toJson(JSON.parse(JSON.stringify(said)))).toEqual(JSON.parse(JSON.stringify(said)));
        },
      ),
    );
  });

  test("cuts cycles and keeps dangerous keys as plain properties", () => {
    const cycle: Record<string, unknown> = { name: "a" };
    cycle["self"] = cycle;
    expect(toJson(cycle)).toEqual({ name: "a", self: null });
    const made = toJson(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(made)).toEqual(["__proto__"]);
    expect("polluted" in made).toBe(false);
  });
});

describe("keyed lists", () => {
  test("hold any key as an ordinary one, in order of insertion", () => {
    const keys = ["__proto__", "constructor", "", "b", "a"];
    const whole = keys.reduce<readonly (readonly [string, string])[]>(
      (entries, key) => assign(entries, key, `1 ${key}`),
      [],
    );
    const again = assign(whole, "constructor", "2");
    expect(again.map(([key]) => key)).toEqual(keys);
    expect(lookup(again, "constructor")).toBe("2");
    expect(lookup(again, "toString")).toBeUndefined();
    expect(omit(again, "__proto__").map(([key]) => key)).toEqual(["constructor", "", "b", "a"]);
  });
});

describe("readers of unknown values", () => {
  test("answer own properties of the wanted type and nothing else", () => {
    const value = { s: "x", n: 1, nan: Number.NaN, b: false, l: [1], o: {} };
    expect([
      text(value, "s"),
      number(value, "n"),
      flag(value, "b"),
      list(value, "l"),
      record(value.o),
    ]).toEqual(["x", 1, false, [1], {}]);
    expect([text(value, "n"), number(value, "nan"), flag(value, "s"), list(value, "s")]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ]);
    expect([
      field(value, "toString"),
      field([1], "0"),
      field(null, "x"),
      field("text", "length"),
      record([]),
    ]).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

describe("assertNever", () => {
  test("throws when it is reached after all", () => {
    expect(() => assertNever("odd" as never)).toThrow('"odd"');
  });
});
