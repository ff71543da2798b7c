import { expect, test } from "vitest";
import { helpText } from "../src/arguments/help.ts";
import { commandSpecs } from "../src/arguments/command-specs.ts";
import { readArguments } from "../src/arguments/read-arguments.ts";

test("reads every option of run", () => {
  const argv = [
    "run",
    "--dir",
    "d",
    "--harness=pi",
    "--access",
    "native",
    "--model",
    "a/b",
    "--mode=plan",
    "--permissions",
    "allow",
    "--store",
    "s",
    "--session",
    "1",
    "--json",
    "do it",
  ];
  expect(readArguments(argv)).toEqual({
    command: "run",
    prompt: { from: "argument", text: "do it" },
    dir: "d",
    harness: "pi",
    access: "native",
    model: "a/b",
    mode: "plan",
    permissions: "allow",
    store: "s",
    session: "1",
    json: true,
  });
});

test("leaves out what was not said", () => {
  expect(readArguments(["run", "x"])).toEqual({
    command: "run",
    prompt: { from: "argument", text: "x" },
    json: false,
  });
  expect(readArguments(["events", "1"])).toEqual({
    command: "events",
    id: "1",
    after: 0,
    follow: false,
    json: false,
  });
  expect(readArguments(["sessions"])).toEqual({ command: "sessions", json: false });
});

test("reads every option of replay", () => {
  const argv = [
    "replay",
    "--adapter",
    "pi",
    "--projection=transcript",
    "--session",
    "n",
    "--json",
    "a.jsonl",
  ];
  expect(readArguments(argv)).toEqual({
    command: "replay",
    path: "a.jsonl",
    adapter: "pi",
    projection: "transcript",
    session: "n",
    summary: false,
    json: true,
  });
  expect(readArguments(["replay", "--summary", "dir"])).toEqual({
    command: "replay",
    path: "dir",
    summary: true,
    json: false,
  });
});

test("tells a prompt on standard input from a prompt that is a dash", () => {
  expect(readArguments(["run", "-"])).toMatchObject({ prompt: { from: "stdin" } });
  expect(readArguments(["run", "--", "-"])).toMatchObject({ prompt: { from: "argument", text: "-" } });
  expect(readArguments(["run", "--json", "--", "--model"])).toMatchObject({
    json: true,
    prompt: { text: "--model" },
  });
});

test.for([
  [["walk"], 'There is no command "walk".'],
  [["--json", "run"], '"--json" comes too early'],
  [["help", "walk"], 'There is no command "walk".'],
  [["run", "say: x", "--model"], "'--model <value>' argument missing"],
  [["run", "say: x", "--model="], "--model needs a value."],
  [["run"], "There is no prompt"],
  [["run", "say:", "x"], "The prompt is one argument"],
  [["run", "--access", "smoke", "say: x"], "--access is native or acp"],
  [["run", "--permissions", "maybe", "say: x"], '--permissions is ask, deny or allow, not "maybe"'],
  [["show"], "Name a session"],
  [["show", "1", "2"], "one session only"],
  [["show", "--json", "1"], "Unknown option '--json'"],
  [["events", "1", "--after", "-1"], "'--after' argument is ambiguous"],
  [["events", "1", "--after=-1"], '--after is the seq of an event, not "-1"'],
  [["events", "1", "--after", "1e3"], "--after is the seq"],
  [["replay", "a", "b"], "Name one recording only."],
  [["replay", "a", "--summary", "--projection", "transcript"], "--summary prints none of it"],
  [["sessions", "all"], '"all" is one'],
  [["demo", "--store", "x"], "Unknown option '--store'"],
] as const)("refuses %j", ([argv, message]) => {
  expect(() => readArguments(argv)).toThrow(
    expect.objectContaining({ name: "UsageError", message: expect.stringContaining(message) as string }),
  );
});

test("answers help and version wherever they are asked for", () => {
  for (const argv of [["--help"], ["-h"], ["help"]])
    expect(readArguments(argv)).toEqual({ command: "help", json: false });
  for (const argv of [
    ["run", "--help"],
    ["run", "-h", "--json"],
    ["help", "run"],
  ]) {
    expect(readArguments(argv)).toEqual({ command: "help", of: "run", json: false });
  }
  expect(readArguments(["--version"])).toEqual({ command: "version", json: false });
});

test("keeps the help within a terminal's width, each option in it", () => {
  for (const { name, options, notes } of commandSpecs) {
    const text = helpText(name);
    for (const option of options) expect(text).toContain(`--${option.name}`);
    for (const note of notes) expect(text).toContain(note);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  }
  expect(
    helpText()
      .split("\n")
      .filter((line) => line.startsWith("  ")),
  ).toHaveLength(commandSpecs.length);
});
