import { expect, test } from "vitest";
import { script, scriptNamed } from "../src/index.ts";
import { lastDirective } from "../src/script/directive.ts";

const contentOf = (text: string): unknown => lastDirective(text)?.content;

test("finds the steps that script writes, anywhere in a text", () => {
  const steps = [
    'brackets ]] [[ and \\"quotes\\"',
    [{ tool: "Bash", input: { command: 'echo "a]]"' } }],
  ] as const;
  expect(contentOf(`Before ${script(steps)} after.`)).toEqual({ kind: "steps", value: steps });
});

test("finds a name", () => {
  expect(contentOf(`Go: ${scriptNamed("a.b-c_1")}`)).toEqual({ kind: "name", name: "a.b-c_1" });
});

test("finds none where there is none", () => {
  expect(contentOf("script: [[a]] [script:a]")).toBeUndefined();
});

test("takes the last of several, because an agent joins prompts into one text", () => {
  const text = `One. ${script(["1"])}\nTwo. ${script(["2"])}`;
  expect(contentOf(text)).toEqual({ kind: "steps", value: ["2"] });
});

test("leaves alone what stands inside of another, such as the prompt of a subagent", () => {
  const prompt = `Do it. ${script([[{ text: 'the "child"' }]])}`;
  const steps = [[{ tool: "Agent", input: { prompt } }], "Done."];
  expect(contentOf(script(steps))).toEqual({ kind: "steps", value: steps });
});

test.each([
  ["[[script:[[{]]", /no JSON/u],
  ["[[script:[[]", /does not end/u],
  ['[[script:["]]]', /no JSON/u],
  ["[[script:[] ]]", /not followed by \]\]/u],
  ["[[script:name", /does not end with \]\]/u],
  [`[[script:[ ${script(["fine"])}`, /does not end/u],
])("says what is wrong with %s", (text, problem) => {
  expect(contentOf(text)).toEqual({ kind: "malformed", problem: expect.stringMatching(problem) });
});

test("reads a directive of several megabytes", () => {
  const steps = [`${'x\\"]'.repeat(1_000_000)}`];
  expect(contentOf(script(steps))).toEqual({ kind: "steps", value: steps });
});
