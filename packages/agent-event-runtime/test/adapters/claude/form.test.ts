import { describe, expect, test } from "vitest";
import { claudeAdapter } from "../../../src/adapters/claude/adapter.ts";
import type { Json } from "../../../src/base/json.ts";
import type { Question } from "../../../src/event/event-values.ts";
import { answer, eventsOf, init, only, played, says } from "./said.ts";

const elicits = (request: object): ReturnType<typeof says> =>
  says({
    type: "control_request",
    request_id: "r1",
    request: { subtype: "elicitation", message: "Which account?", ...request },
  });

const form = (properties: unknown, required: unknown = []): ReturnType<typeof says> =>
  elicits({ requested_schema: { type: "object", properties, required } });

/** The questions that an elicitation asks. */
function questionsOf(elicitation: ReturnType<typeof says>): readonly Question[] {
  return only(eventsOf([init(), elicitation]), "question.requested").flatMap(({ questions }) => questions);
}

const one = (prompt: string, ...labels: readonly string[]): Question => ({
  prompt,
  options: labels.map((label) => ({ label })),
  multiple: false,
});

/** The labels of the options for a field. */
function labelsOf(definition: object): readonly string[] | undefined {
  return questionsOf(form({ field: definition }))[0]?.options.map(({ label }) => label);
}

describe("forms of MCP servers", () => {
  test("ask a question for each field, the first after the message", () => {
    const properties = {
      name: { type: "string", title: "Your name", description: "As it is on the card" },
      colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
      port: { type: "integer" },
      secure: { type: "boolean" },
      tags: { type: "array", items: { enum: ["a", "b"] } },
    };
    expect(questionsOf(form(properties, ["name", "colour", "port", "tags"]))).toEqual([
      one("Which account?\nYour name: As it is on the card"),
      one("colour", "Red", "Green"),
      one("port"),
      one("secure (optional)", "true", "false"),
      { ...one("tags", "a", "b"), multiple: true },
    ]);
  });

  test.each<[string, object, readonly string[]]>([
    ["titles", { oneOf: [{ const: "r", title: "Red" }, { const: 2 }] }, ["Red", "2"]],
    ["titles of items", { type: "array", items: { anyOf: [{ const: "r", title: "Red" }] } }, ["Red"]],
    ["values, where titles are missing", { enum: ["r", "g"], enumNames: ["Red"] }, ["Red", "g"]],
    ["values, where titles are the same", { enum: ["r", "g"], enumNames: ["X", "X"] }, ["r", "g"]],
    ["no value that a field cannot have", { enum: ["r", null, {}, ["g"]] }, ["r"]],
    ["nothing, where the choices are none", { enum: "r", oneOf: {}, enumNames: 3 }, []],
  ])("name what may be chosen: %s", (_, definition, labels) => {
    expect(labelsOf(definition)).toEqual(labels);
  });

  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: "string" }]));
  const choices = (count: number): object => ({
    field: { enum: Array.from({ length: count }, (_, n) => n) },
  });

  test("are asked by their fields up to a bound, and then as one question", () => {
    expect(questionsOf(form(many(32)))).toHaveLength(32);
    expect(questionsOf(form(choices(256)))[0]?.options).toHaveLength(256);
    const beyond = [many(33), choices(257), { ["n".repeat(201)]: {} }, many(1000)];
    for (const properties of beyond) expect(questionsOf(form(properties))).toEqual([one("Which account?")]);
  });

  test.each<[string, unknown]>([
    ["an object in it", { a: { type: "object", properties: {} } }],
    ["lists of lists", { a: { type: "array", items: { type: "array" } } }],
  ])("that are not flat are one question: %s", (_, properties) => {
    expect(questionsOf(form(properties))).toEqual([one("Which account?")]);
  });

  test.each<[string, ReturnType<typeof says>]>([
    ["no schema", elicits({})],
    ["a schema that is none", elicits({ requested_schema: ["x"] })],
    ["fields that are none", form([{ type: "string" }])],
    ["no fields", form({})],
  ])("without fields ask to accept: %s", (_, elicitation) => {
    expect(questionsOf(elicitation)).toEqual([one("Which account?", "Accept", "Decline")]);
  });

  test("tell the address that is to be opened", () => {
    const page = elicits({ mode: "url", url: "https://example.invalid/", elicitation_id: "e1" });
    expect(questionsOf(page)).toEqual([one("Which account?\nhttps://example.invalid/", "Accept", "Decline")]);
  });

  test("keep fields of any name and no definition", () => {
    const properties: unknown = JSON.parse('{"__proto__":{"title":"A"},"constructor":null,"":7}');
    expect(questionsOf(form(properties, "constructor")).map(({ prompt }) => prompt)).toEqual([
      "Which account?\nA (optional)",
      "constructor (optional)",
      " (optional)",
    ]);
  });

  test("end with an answer for each question, empty for what was left out", () => {
    const asked = form({ a: { type: "string" }, b: { type: "string" }, c: { type: "boolean" } });
    const filled = answer("r1", { action: "accept", content: { c: true, a: "x" } });
    const { snapshot } = played([init(), asked]);
    expect(only(eventsOf([filled], snapshot), "question.ended")).toMatchObject([
      { outcome: "answered", answers: ["x", "", "true"] },
    ]);
  });

  test("are known to the stored state, which may be of a time before them", () => {
    const { state } = played([init(), form({ a: {}, b: {} })]).snapshot;
    const stored = JSON.stringify(state);
    const read = (text: string): unknown => claudeAdapter.parseState(JSON.parse(text) as Json, 2);
    expect(read(stored)).toEqual(state);
    const without = (fields: string): string => stored.replace(',"fields":["a","b"]', fields);
    expect(JSON.stringify(read(without("")))).toBe(without(',"fields":[]'));
    expect(read(without(',"fields":[1]'))).toBeUndefined();
  });
});
