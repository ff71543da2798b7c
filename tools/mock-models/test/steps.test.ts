import { expect, test } from "vitest";
import { parseScripts, parseSteps, script, startMockModels } from "../src/index.ts";

test("reads every kind of step and block, with every key", () => {
  const pace = { paceMs: 0, chunk: 1 };
  const before = { delayMs: 0, gate: "g" };
  const message = {
    blocks: [
      { text: "", repeat: 1, ...pace },
      { thinking: "", signature: "s", ...pace },
      { redacted: "" },
      { tool: "Bash", input: { command: "ls" }, id: "i", ...pace },
      { tool: "Bash", rawInput: "{" },
      { block: { type: "server_tool_use", id: "s" } },
      { delayMs: 0 },
      { gate: "g" },
      { ping: true },
      { raw: "", encoding: "base64" },
      { errorEvent: { type: "api_error", message: "m" } },
      { cut: true },
      { end: true },
    ],
    stopReason: "max_tokens",
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 4,
    },
    model: "m",
    headers: { a: "b" },
    ...before,
    ...pace,
  };
  const error = {
    error: { status: 529, type: "t", message: "m", headers: { "retry-after": "1" } },
    ...before,
  };
  const cut = { cut: true, ...before };
  const hang = { hang: true, ...before };
  const fail = ["x", [{ text: "x" }], message, error, cut, hang];
  const steps = ["x", [], { ...message, fail }, { ...error, fail }, { ...cut, fail }, { ...hang, fail }];
  expect(parseSteps(steps)).toEqual(steps);
});

test.each([
  [[[{ text: "x", repaet: 2 }]], 'steps[0][0]: Unrecognized key: "repaet"'],
  [["x", { bloks: [] }], "steps[1]: A step has exactly one of blocks, error, cut, hang; this one has bloks."],
  [[{ blocks: [], hang: true }], "this one has blocks, hang."],
  [[{}], "this one has no key."],
  [[[{ text: "x", tool: "Bash" }]], "steps[0][0]: A block has exactly one of"],
  [[{ blocks: [{ text: 1 }] }], "steps[0].blocks[0].text: Invalid input: expected string"],
  [[{ blocks: [], stopReason: "tool" }], "steps[0].stopReason: Invalid option"],
  [[{ blocks: [], usage: { tokens: 1 } }], 'steps[0].usage: Unrecognized key: "tokens"'],
  [[{ blocks: [], headers: { "a b": "c" } }], "steps[0].headers"],
  [[{ blocks: [], headers: { a: "b\n" } }], "steps[0].headers.a"],
  [[{ error: { status: 200 } }], "steps[0].error.status"],
  [[{ cut: false }], "steps[0].cut"],
  [[{ hang: true, fail: [{ hang: true, fail: [] }] }], 'steps[0].fail[0]: Unrecognized key: "fail"'],
  [[[{ tool: "Bash", input: {}, rawInput: "" }]], "either input or rawInput"],
  [[[{ tool: "Bash", input: [] }]], "steps[0][0].input"],
  [[[{ delayMs: -1 }]], "steps[0][0].delayMs"],
  [[[{ text: "0123456789", repeat: 10_000_000 }]], "at most"],
  [[[{ block: { text: "no type" } }]], "steps[0][0].block.type"],
  [[7], "steps[0]: A step is an object."],
  [[], "steps: Too small"],
  [{}, "steps: Invalid input: expected array"],
])("refuses %j", (steps, message) => {
  expect(() => parseSteps(steps)).toThrow(TypeError);
  expect(() => parseSteps(steps)).toThrow(message);
});

test("script refuses what is no step", () => {
  // @ts-expect-error A typo is an error of the compiler as well.
  expect(() => script([[{ txt: "x" }]])).toThrow("this one has txt");
});

test("refuses named scripts that are wrong, before anything is started", async () => {
  expect(() => parseScripts({ a: [[{ txt: "x" }]] })).toThrow("scripts.a[0][0]: A block has");
  expect(() => parseScripts({ "a b": ["x"] })).toThrow("A name has letters");
  // @ts-expect-error As above.
  await expect(startMockModels({ scripts: { a: [{ blocks: "x" }] } })).rejects.toThrow("scripts.a[0].blocks");
});
