import { expect, test } from "vitest";
import { type ModelStep, script } from "../src/index.ts";
import { mockFor, post, said, type StreamEvent, streamed, whole } from "./lab.ts";

const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
  service_tier: "standard",
};

const stream = { stream: true };

async function events(step: ModelStep): Promise<readonly StreamEvent[]> {
  return streamed(post(await mockFor(), script([step]), stream));
}

async function message(step: ModelStep): Promise<Record<string, unknown>> {
  return whole(post(await mockFor(), script([step])));
}

function joined(list: readonly StreamEvent[], key: string): string {
  return list.flatMap(({ delta }) => (typeof delta?.[key] === "string" ? [delta[key]] : [])).join("");
}

test("streams a text as the API does", async () => {
  const list = await events([{ text: "Hello.", chunk: 4 }]);
  const [start] = list;
  expect(start).toMatchObject({
    type: "message_start",
    message: {
      id: expect.stringMatching(/^msg_/u),
      type: "message",
      role: "assistant",
      model: "model-a",
      content: [],
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  expect(list.slice(1)).toEqual([
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hell" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "o." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ]);
});

test("answers a text at once where no stream is wanted", async () => {
  expect(await message("Hello.")).toEqual({
    id: expect.stringMatching(/^msg_/u),
    type: "message",
    role: "assistant",
    model: "model-a",
    content: [{ type: "text", text: "Hello." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  });
});

test("thinks with a signature, redacted too", async () => {
  const step = [{ thinking: "Hm, so.", chunk: 3 }, { thinking: "", signature: "mine" }, { redacted: "data" }];
  const list = await events(step);
  expect(joined(list, "thinking")).toBe("Hm, so.");
  expect(list.filter(({ delta }) => delta?.["type"] === "signature_delta")).toHaveLength(2);
  expect(list.at(-4)).toMatchObject({ content_block: { type: "redacted_thinking", data: "data" } });
  expect((await message(step))["content"]).toEqual([
    { type: "thinking", thinking: "Hm, so.", signature: expect.stringMatching(/./u) },
    { type: "thinking", thinking: "", signature: "mine" },
    { type: "redacted_thinking", data: "data" },
  ]);
});

test("calls tools, each with an id of its own, and stops for them", async () => {
  const step = [
    { text: "Both." },
    { tool: "Bash", input: { command: "ls" }, chunk: 5 },
    { tool: "Read", id: "toolu_given" },
  ];
  const list = await events(step);
  const starts = list.filter(({ type }) => type === "content_block_start");
  expect(starts.map(({ content_block }) => content_block)).toEqual([
    { type: "text", text: "" },
    { type: "tool_use", id: expect.stringMatching(/^toolu_.*_1$/u), name: "Bash", input: {} },
    { type: "tool_use", id: "toolu_given", name: "Read", input: {} },
  ]);
  expect(joined(list, "partial_json")).toBe('{"command":"ls"}{}');
  expect(list.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  expect(await message(step)).toMatchObject({
    content: [{}, { name: "Bash", input: { command: "ls" } }, { name: "Read", input: {} }],
    stop_reason: "tool_use",
  });
});

test("streams the input of a tool that is no JSON as it is", async () => {
  const list = await events([{ tool: "Bash", rawInput: '{"command": "echo' }]);
  expect(joined(list, "partial_json")).toBe('{"command": "echo');
  expect(list.at(-1)).toEqual({ type: "message_stop" });
});

test("sends any other block whole", async () => {
  const block = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } };
  expect((await events([{ block }]))[1]).toEqual({
    type: "content_block_start",
    index: 0,
    content_block: block,
  });
  expect((await message([{ block }]))["content"]).toEqual([block]);
});

test("repeats a text of several bytes a character to megabytes, at any size of the pieces", async () => {
  const block = { text: "añ😀", repeat: 500_000, chunk: 1001 };
  const text = "añ😀".repeat(500_000);
  expect(joined(await events([block]), "text") === text).toBe(true);
  expect((await said(post(await mockFor(), script([[block]])))) === text).toBe(true);
});

test("says stop reason, usage, model and headers as they are given", async () => {
  const step = {
    blocks: [{ text: "Cut off" }],
    stopReason: "max_tokens",
    usage: { output_tokens: 7, cache_read_input_tokens: 1000 },
    model: "model-b",
    headers: { "anthropic-ratelimit-unified-status": "allowed" },
  } as const;
  const mock = await mockFor();
  for (const more of [stream, {}]) {
    const { headers } = await post(mock, script([step]), more);
    expect(headers.get("anthropic-ratelimit-unified-status")).toBe("allowed");
    expect(headers.get("request-id")).toMatch(/^req_/u);
  }
  const list = await streamed(post(mock, script([step]), stream));
  expect(list[0]).toMatchObject({ message: { model: "model-b", usage: { cache_read_input_tokens: 1000 } } });
  expect(list.at(-2)).toEqual({
    type: "message_delta",
    delta: { stop_reason: "max_tokens", stop_sequence: null },
    usage: { ...usage, output_tokens: 7, cache_read_input_tokens: 1000 },
  });
  expect(await whole(post(mock, script([{ ...step, stopReason: "refusal" }])))).toMatchObject({
    stop_reason: "refusal",
    model: "model-b",
    usage: { output_tokens: 7 },
  });
});

test("gives the same bytes for the same request, and other ids for another or from another agent", async () => {
  const mock = await mockFor();
  const text = script([[{ tool: "Bash" }]]);
  const agent = { headers: { "x-claude-code-agent-id": "child" } };
  const answers = [
    post(mock, text, stream),
    post(mock, text, stream),
    post(mock, `${text} `, stream),
    post(mock, text, stream, agent),
  ];
  const [first, same, ...others] = await Promise.all(answers.map(async (answer) => (await answer).text()));
  expect(same).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});
