import { describe, expect, test } from "vitest";
import type { Json } from "@claxedo/agent-event-runtime";
import { bindingAfter, rungsOf } from "../../src/session/resume-plan.ts";
import { readBinding, type SessionBinding, storedBinding } from "../../src/session/session-binding.ts";

describe("a stored binding", () => {
  test.each<SessionBinding>([
    { current: null },
    { current: { sessionId: "s" }, unknownAfter: 0 },
    { current: "s", unknownAfter: 7, former: { binding: null, seq: 3 } },
  ])("comes back as it was: %j", (binding) => {
    expect(readBinding(JSON.parse(JSON.stringify(storedBinding(binding))) as Json)).toEqual(binding);
  });

  test.each<Json>([
    null,
    7,
    "",
    [],
    {},
    { sessionId: "s" },
    JSON.parse('{"__proto__":{"current":1}}') as Json,
  ])("of another form is left to the harness: %j", (value) => {
    expect(readBinding(value)).toEqual({ current: value });
  });

  test.each<Json>([
    { current: 1, unknownAfter: -1 },
    { current: 1, unknownAfter: "7" },
    { current: 1, former: 7 },
    { current: 1, former: { binding: 1 } },
    { current: 1, former: { seq: 1.5, binding: 1 } },
  ])("is read without what cannot be: %j", (value) => {
    expect(readBinding(value)).toEqual({ current: 1 });
  });
});

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
    const trouble = { kind: "prompt_too_long", count: 2 } as const;
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
