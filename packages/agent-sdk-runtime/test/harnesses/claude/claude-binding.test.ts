import type { Json } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { readBinding } from "../../../src/harnesses/claude/binding.ts";

const binding = {
  sessionId: "7123e39e-f3c4-4e7f-9400-9bce78e78aec",
  cwd: "/home/user/ws",
  configDir: "/home/user/.claude",
  cursor: 120,
};

test("reads what it has stored", () => {
  expect(readBinding(JSON.parse(JSON.stringify(binding)) as Json)).toEqual(binding);
  expect(readBinding({ ...binding, more: "later" })).toEqual(binding);
});

test.each<[string, Json | undefined]>([
  ["nothing", undefined],
  ["null", null],
  ["a text", "7123e39e-f3c4-4e7f-9400-9bce78e78aec"],
  ["a list", [binding]],
  [
    "another harness's",
    { sessionFile: "/x/y.jsonl", sessionId: "7123e39e-f3c4-4e7f-9400-9bce78e78aec", cursor: null },
  ],
  ["an id that is a flag", { ...binding, sessionId: "--dangerously-skip-permissions" }],
  ["an id that is a path", { ...binding, sessionId: "../../../etc/passwd" }],
  ["an id that is a number", { ...binding, sessionId: 7 }],
  ["a place that is nowhere", { ...binding, cwd: "ws" }],
  ["a configuration that is nowhere", { ...binding, configDir: "" }],
  ["a cursor that is none", { ...binding, cursor: "120" }],
  ["a cursor between two bytes", { ...binding, cursor: 1.5 }],
  ["a cursor before the beginning", { ...binding, cursor: -1 }],
])("takes %s for no binding", (_, value) => {
  expect(readBinding(value)).toBeUndefined();
});
