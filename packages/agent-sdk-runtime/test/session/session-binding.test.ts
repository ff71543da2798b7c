import { describe, expect, test } from "vitest";
import type { Json } from "@claxedo/agent-event-runtime";
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
