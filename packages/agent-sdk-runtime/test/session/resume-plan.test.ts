import { describe, expect, test } from "vitest";
import { bindingAfter, rungsOf, troubleAfter } from "../../src/session/resume-plan.ts";

describe("the ways to start a harness", () => {
  const left = { current: "b", former: { binding: "a", seq: 4 } };

  test("are one, without a word of what was said, for a session that never had any", () => {
    expect(rungsOf(undefined, {}, true)).toEqual([{}]);
    expect(bindingAfter(undefined, {}, { current: "a", resumed: false, seq: 0 }, {})).toEqual({
      current: "a",
    });
  });

  test("count the session before while nothing was completed in the new one", () => {
    const own = { binding: "b" };
    const before = { binding: "a", unknownAfter: 4 };
    expect(rungsOf(left, { fresh: true }, true)).toEqual([own, own, before, { unknownAfter: 0 }]);
    expect(rungsOf(left, {}, true)).toEqual([own, own, { unknownAfter: 0 }]);
  });

  test("are a new one alone for a harness that cannot resume, and for a session that is spoilt", () => {
    const trouble = { kind: "context-overflow", count: 2 } as const;
    expect(rungsOf(left, { fresh: true }, false)).toEqual([{ unknownAfter: 0 }]);
    expect(rungsOf(left, { fresh: true, trouble }, true)).toEqual([{ unknownAfter: 0 }]);
    expect(rungsOf(left, { trouble: { ...trouble, count: 1 } }, true)).toHaveLength(3);
  });

  test("keep the oldest session that is unproved, and forget it where it is resumed", () => {
    const anew = { current: "c", resumed: false, seq: 9 };
    const kept = { current: "c", unknownAfter: 0, former: { binding: "a", seq: 4 } };
    expect(bindingAfter(left, { unknownAfter: 0 }, anew, { fresh: true })).toEqual(kept);
    const proved = { current: "c", unknownAfter: 0, former: { binding: "b", seq: 9 } };
    expect(bindingAfter(left, { unknownAfter: 0 }, anew, {})).toEqual(proved);
    const back = { current: "a2", resumed: true, seq: 9 };
    const rung = { binding: "a", unknownAfter: 4 };
    expect(bindingAfter(left, rung, back, { fresh: true })).toEqual({ current: "a2", unknownAfter: 4 });
    const own = { current: "b2", resumed: true, seq: 9 };
    expect(bindingAfter(left, { binding: "b" }, own, { fresh: true })).toEqual({ ...left, current: "b2" });
  });
});

describe("the trouble of a session", () => {
  const crashed = { outcome: "failed", reason: "harness-crashed" } as const;
  const refused = { outcome: "failed", reason: "harness.api_error", error: { message: "" } } as const;
  const rejected = { ...refused, error: { message: "", code: "history-rejected" } } as const;
  const overflown = { ...refused, error: { message: "", code: "context-overflow" } } as const;
  const completed = { outcome: "completed", reason: "harness.completed" } as const;
  const cancelled = { outcome: "cancelled", reason: "harness.interrupted" } as const;

  test.each([
    [[crashed, crashed], { kind: "harness-crashed", count: 2 }],
    [[crashed, cancelled, crashed], { kind: "harness-crashed", count: 2 }],
    [[crashed, rejected], { kind: "history-rejected", count: 1 }],
    [[crashed, completed, crashed], { kind: "harness-crashed", count: 1 }],
    [[crashed, refused], undefined],
    [[overflown, overflown], { kind: "context-overflow", count: 2 }],
    [[{ ...refused, error: { message: "", code: "constructor" } }], undefined],
  ] as const)("after %j", (ends, trouble) => {
    const [first, ...rest] = ends;
    expect(rest.reduce((known, end) => troubleAfter(known, end), troubleAfter(undefined, first))).toEqual(
      trouble,
    );
  });
});
