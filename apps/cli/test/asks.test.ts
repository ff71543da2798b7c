import type { EventOf, PermissionOption, Question } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { permissionText, questionText } from "../src/asks/prompt-text.ts";
import { readAnswer, readPermission } from "../src/asks/typed-reply.ts";
import { painter } from "../src/render/style.ts";

const plain = painter(false);

const options: readonly PermissionOption[] = [
  { optionId: "a", label: "Allow", effect: "allow", scope: "once" },
  { optionId: "b", label: "Allow all", effect: "allow", scope: "always" },
  { optionId: "c", label: "Deny", effect: "deny", scope: "once" },
  { optionId: "d", label: "Deny all", effect: "deny", scope: "session" },
];

const unclear = { unclear: expect.any(String) as string };

test.for([
  ["1", { answer: { optionId: "a" } }],
  [" 2 ", { answer: { optionId: "b" } }],
  ["y", { answer: { optionId: "a" } }],
  ["N", { answer: { optionId: "c" } }],
  ["n  not now, later ", { answer: { optionId: "c", message: "not now, later" } }],
  ["4 never", { answer: { optionId: "d", message: "never" } }],
  ["1 please", unclear],
  ["", unclear],
  ["0", unclear],
  ["5", unclear],
  ["12", unclear],
  ["1e0", unclear],
  ["yes", unclear],
] as const)("reads %j below a permission request", ([line, reply]) => {
  expect(readPermission(line, options)).toEqual(reply);
});

test("has keys for what is allowed or denied once, and for nothing else", () => {
  const [, always] = options;
  expect(always && readPermission("y", [always])).toEqual(unclear);
  expect(always && readPermission("1", [always])).toEqual({ answer: { optionId: "b" } });
});

const one: Question = { prompt: "Which?", options: [{ label: "Red" }, { label: "Blue" }], multiple: false };

test.for([
  ["2", { answer: "Blue" }],
  ["2 1", unclear],
  ["3", { answer: "3" }],
  [" as you like ", { answer: "as you like" }],
  ["1 or so", { answer: "1 or so" }],
  ["-", { refused: true }],
  [" ", unclear],
] as const)("reads %j below a question", ([line, reply]) => {
  expect(readAnswer(line, one)).toEqual(reply);
});

test("takes several answers where a question does", () => {
  const several = { ...one, multiple: true };
  expect(readAnswer("2, 1 2", several)).toEqual({ answer: ["Blue", "Red"] });
  expect(readAnswer("1", several)).toEqual({ answer: ["Red"] });
  expect(readAnswer("1", { ...several, options: [] })).toEqual({ answer: "1" });
});

const request: EventOf<"permission.requested"> = {
  v: 1,
  seq: 1,
  sessionId: "s",
  time: 0,
  adapter: "claude",
  type: "permission.requested",
  requestId: "q",
  title: "Run\u001b[2J it",
  options: [],
  native: null,
};

test("shows the tool and its whole input, but for the plan and what nobody would read", () => {
  const input = {
    command: "one\ntwo\u0007",
    flags: { "-r": true },
    plan: "First this.",
    text: `${"x\n".repeat(100)}end`,
    wide: "y".repeat(5_000),
  };
  const text = permissionText(request, { call: { name: "Bash", input }, plan: "First this." }, plain);
  expect(text).toContain(
    '? Run it\n  Bash\n    command: one\n      two\n    flags: {"-r":true}\n    text: x\n',
  );
  expect(text).toContain(`x … ${203 - 79} more characters\n    wide: yyy`);
  expect(text).toContain("yyy … 1000 more characters\n");
  expect(text).not.toContain("First this.");
});

test("says that a subagent asks, and does without a call", () => {
  const text = permissionText({ ...request, agent: ["task"] }, { call: undefined, plan: undefined }, plain);
  expect(text).toMatch(/^\? Run it \(a subagent asks\)\n {2}Number or key/u);
});

test("says how a question is answered", () => {
  const said = (question: Question): string | undefined =>
    questionText(question, { number: 1, of: 1 }, plain).split("\n").at(-2);
  expect(said(one)).toBe("  A number, or words of your own, then Enter; - gives no answer.");
  expect(said({ ...one, multiple: true })).toMatch(/^ {2}Numbers, or words/u);
  expect(said({ ...one, options: [] })).toMatch(/^ {2}Words of your own/u);
});
