import fc from "fast-check";
import { expect, test } from "vitest";
import { plan, type ScriptMessage } from "../../../src/harnesses/pi/scripted-model.ts";
import { chunks } from "../../../src/harnesses/pi/scripted-provider.ts";

const user = (content: unknown): ScriptMessage => ({ role: "user", content });
const called: ScriptMessage = { role: "assistant", content: [] };
const gave = (text: string, isError = false): ScriptMessage => ({
  role: "toolResult",
  content: [{ type: "text", text }],
  isError,
});

test.each([
  ["exec: echo a  b", { name: "bash", arguments: { command: "echo a  b" } }],
  ["sleep: 1.5", { name: "bash", arguments: { command: "sleep 1.5" } }],
  ["read: a/b.txt", { name: "read", arguments: { path: "a/b.txt" } }],
  [
    "write: a.txt one\\ntwo\\tx\\\\n",
    { name: "write", arguments: { path: "a.txt", content: "one\ntwo\tx\\n" } },
  ],
  ['write: "a b.txt" ☃ text', { name: "write", arguments: { path: "a b.txt", content: "☃ text" } }],
  ["write: empty.txt", { name: "write", arguments: { path: "empty.txt", content: "" } }],
  [
    "edit: a.txt old one => new\\none",
    { name: "edit", arguments: { path: "a.txt", edits: [{ oldText: "old one", newText: "new\none" }] } },
  ],
])("reads the step %s", (line, tool) => {
  expect(plan([user(line)])).toEqual({ text: "", call: { id: "call_1_1", ...tool } });
});

test("takes steps one after another, each with the words before it, and reports at the end", () => {
  const talk = [user("say: first\n\nexec: one\r\nsay: second\nexec: two\nsay: last")];
  expect(plan(talk)).toMatchObject({
    text: "first\n",
    call: { id: "call_1_1", arguments: { command: "one" } },
  });
  talk.push(called, gave("1"));
  expect(plan(talk)).toMatchObject({
    text: "second\n",
    call: { id: "call_3_2", arguments: { command: "two" } },
  });
  talk.push(called, gave("boom\nmore", true));
  expect(plan(talk)).toEqual({ text: "last\nDone: 2 steps, 1 failed. The last one gave:\nboom\nmore" });
});

test("counts only what came after the last prompt", () => {
  const talk = [user("exec: old"), called, gave("old"), { role: "assistant" }, user("exec: new")];
  expect(plan(talk)).toMatchObject({ call: { id: "call_5_1", arguments: { command: "new" } } });
});

test("fails with the words given, after the words before", () => {
  expect(plan([user("say: so far\nfail: out of luck")])).toEqual({ text: "so far\n", error: "out of luck" });
});

test("says what it does not understand in a script", () => {
  expect(plan([user("say: a\nexce: ls\nsleep: long\nedit: x y")]).text).toBe(
    'a\nThis line is no step I know: exce: ls\nNot a number of seconds: long\nAn edit needs "old => new": x y',
  );
});

test("looks around for any other prompt, and reports what was there without pretending", () => {
  const talk = [user("Fix the bug, please.\nexec: rm -rf /")];
  const seen: unknown[] = [];
  const answers = [
    "README.md\n.git/\npackage.json\nsrc/\n",
    "## main\n M a.txt\n",
    "# Title\n\nText",
    '{ "name": "thing" }',
  ];
  for (const answer of answers) {
    const { call } = plan(talk);
    seen.push(call?.arguments["path"] ?? String(call?.arguments["command"]).split(" ")[0]);
    talk.push(called, gave(answer));
  }
  expect(seen).toEqual(["ls", "git", "README.md", "package.json"]);
  const { text, call } = plan(talk);
  expect(call).toBeUndefined();
  for (const part of [
    "demo model without intelligence",
    '"Fix the bug, please. exec: rm -rf /"',
    "4 entries: README.md, .git/, package.json, src/",
    "git: branch main, 1 changed",
    "README.md: # Title Text",
    "package.json: the package thing",
  ]) {
    expect(text).toContain(part);
  }
});

test("says that an empty workspace is empty", () => {
  expect(plan([user("hello"), called, gave("(no output)")]).text).toContain("it is empty");
});

test("plans for any conversation, and the same for the same", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("exec: x", "say: \ud800", "fail:", "edit:", "\u2028"),
  );
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "toolResult", "system"),
    content: fc.oneof(
      text,
      fc.array(fc.oneof(fc.record({ type: fc.constant("text"), text }), fc.jsonValue())),
      fc.jsonValue(),
    ),
    isError: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      expect(plan(messages)).toEqual(plan(structuredClone(messages)));
    }),
  );
});

test.each([
  ["five megabytes of words", "word ".repeat(1_000_000)],
  ["five megabytes of blanks", `exec:${" ".repeat(5_000_000)}x`],
  ["a million lines", "\n".repeat(1_000_000)],
  ["a million steps", "exec: true\n".repeat(500_000)],
])("plans for %s in no time and repeats little of it", (_, prompt) => {
  const begun = process.cpuUsage();
  const first = plan([user(prompt)]);
  const last = plan([user(prompt), ...Array.from({ length: 600 }, () => gave("x"))]);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2000);
  expect(first.text.length + last.text.length).toBeLessThan(3000);
});

test("cuts text into pieces that add up, without cutting characters, and never too many", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const pieces = [...chunks(text)];
      expect(pieces.join("")).toBe(text);
      const broken = /\p{Surrogate}/u;
      expect(pieces.some((piece) => broken.test(piece))).toBe(broken.test(text));
    }),
  );
  expect([...chunks("x".repeat(5_000_000))].length).toBeLessThanOrEqual(2000);
  expect([...chunks("")]).toEqual([]);
});
