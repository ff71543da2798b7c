import { expect, test } from "vitest";
import { script, scriptNamed } from "../src/index.ts";
import { assistant, mockFor, post, said, user, whole } from "./lab.ts";

const steps = script(["one", "two"]);
const result = user([
  { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: script(["not me"]) }] },
]);

test("takes the step after as many assistant messages as follow the directive", async () => {
  const mock = await mockFor();
  const talk = [
    user("hi"),
    assistant("hello"),
    user([
      { type: "text", text: "go" },
      { type: "text", text: steps },
    ]),
  ];
  expect(await said(post(mock, talk))).toBe("one");
  const next = [...talk, assistant([{ type: "tool_use", id: "t", name: "Bash", input: {} }]), result];
  expect(await said(post(mock, next))).toBe("two");
  expect(await said(post(mock, [...next, assistant("two"), user("and?")]))).toBe("The script has no step 2.");
  expect(mock.requests.map(({ rule }) => rule)).toEqual([
    { kind: "step", step: 0, attempt: 0 },
    { kind: "step", step: 1, attempt: 0 },
    { kind: "past-last-step", step: 2 },
  ]);
});

test("follows the last directive, also one that came in the middle of a turn", async () => {
  const mock = await mockFor();
  const talk = [user(steps), assistant("one"), user(script(["other"]))];
  expect(await said(post(mock, talk))).toBe("other");
  const folded = user([
    { type: "tool_result", tool_use_id: "t", content: "x" },
    { type: "text", text: script(["earlier"]) },
    { type: "text", text: `The user sent a new message:\n${script(["folded"])}` },
  ]);
  expect(await said(post(mock, [user(steps), assistant("one"), folded]))).toBe("folded");
});

test("reads directives in user texts alone", async () => {
  const mock = await mockFor();
  const talk = [{ role: "system" as const, content: steps }, assistant(steps), result];
  expect(await said(post(mock, talk))).toBe("There is no script in this conversation.");
  expect(mock.requests[0]?.rule).toEqual({ kind: "no-script" });
});

test("follows a script by its name", async () => {
  const mock = await mockFor({ scripts: { greet: ["Good day."] } });
  expect(await said(post(mock, `Go. ${scriptNamed("greet")}`))).toBe("Good day.");
  expect(mock.requests[0]?.rule).toEqual({ kind: "step", script: "greet", step: 0, attempt: 0 });
});

test.each([
  ['[[script:[[{"txt":"x"}]]]]', /steps\[0\]\[0\]: A block has exactly one of .* this one has txt/u],
  ["[[script:[[{]]", /\[\[script:\[\[\{\]\] cannot be read: it is no JSON/u],
  ["[[script:other]]", /there is no script "other"; there are: greet\./u],
  ["[[script:constructor]]", /there is no script "constructor"/u],
  ["[[script:]]", /there is no script ""/u],
])("refuses the directive %s and says why", async (directive, problem) => {
  const mock = await mockFor({ scripts: { greet: ["Good day."] } });
  const answer = await post(mock, `Go. ${directive}`, { stream: true });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error", message: expect.stringMatching(problem) },
    request_id: "req_mock_1",
  });
  expect(mock.requests[0]?.rule).toEqual({ kind: "refused", problem: expect.stringMatching(problem) });
});

test.each([
  ["no messages", { messages: [] }, "body.messages: Too small"],
  ["content that is none", { messages: [user(42)] }, "body.messages[0].content"],
  ["no max_tokens", { max_tokens: undefined }, "body.max_tokens: Invalid input"],
])("refuses a body with %s", async (_, more, problem) => {
  const answer = await post(await mockFor(), "hi", more);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain(problem);
});

test("refuses a body that is no JSON", async () => {
  const mock = await mockFor();
  const answer = await post(mock, "hi", {}, { body: "{" });
  expect(answer.status).toBe(400);
  expect(mock.requests[0]?.body).toBe("{");
});

test("gives a call for structured output the smallest value that fits", async () => {
  const mock = await mockFor();
  const schema = {
    type: "object",
    properties: {
      title: { type: "string" },
      tags: { type: "array", items: { enum: ["a", "b"] }, minItems: 1 },
      pick: { anyOf: [{ const: 3 }, { type: "null" }] },
      many: { type: "array", items: {} },
      count: { type: "integer", minimum: 2 },
      more: { type: ["boolean", "null"] },
      other: { type: "string" },
    },
    required: ["title", "tags", "pick", "many", "count", "more"],
  };
  const output_config = { format: { type: "json_schema", schema } };
  const quoting = `<session>${steps}</session>`;
  expect(JSON.parse(String(await said(post(mock, quoting, { output_config }))))).toEqual({
    title: "sample",
    tags: ["a"],
    pick: 3,
    many: [],
    count: 2,
    more: false,
  });
  expect(mock.requests[0]?.rule).toEqual({ kind: "auxiliary", call: "structured" });
  expect(await said(post(mock, steps, { output_config, tools: [{ name: "Bash" }] }))).toBe("one");
});

test("summarizes a conversation that is to be compacted", async () => {
  const mock = await mockFor();
  const talk = [
    user(steps),
    assistant("one"),
    user("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n…"),
  ];
  expect(await said(post(mock, talk))).toMatch(/<summary>.+<\/summary>$/su);
  expect(mock.requests[0]?.rule).toEqual({ kind: "auxiliary", call: "compaction" });
});

test("answers a probe of one token", async () => {
  const mock = await mockFor();
  expect(await said(post(mock, steps, { max_tokens: 1 }))).toBe("1");
  expect(mock.requests[0]?.rule).toEqual({ kind: "auxiliary", call: "probe" });
});

test("counts tokens, lists models, and knows no other endpoint", async () => {
  const mock = await mockFor();
  const count = fetch(`${mock.url}/v1/messages/count_tokens?beta=true`, { method: "POST", body: "12345678" });
  expect(await whole(count)).toEqual({ input_tokens: 2 });
  expect(await whole(fetch(`${mock.url}/v1/models`))).toMatchObject({
    data: [{ type: "model" }],
    has_more: false,
  });
  const other = await fetch(`${mock.url}/v1/files`);
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ error: { type: "not_found_error" } });
  expect(mock.requests.map(({ rule }) => rule.kind)).toEqual(["endpoint", "endpoint", "refused"]);
});
