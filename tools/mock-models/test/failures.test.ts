import { connect } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type ModelStep, script } from "../src/index.ts";
import {
  assistant,
  DEADLINE_MS,
  mockFor,
  post,
  readerOf,
  readUntil,
  said,
  streamed,
  user,
  whole,
} from "./lab.ts";

const stream = { stream: true };

test.each([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [418, "invalid_request_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [503, "api_error"],
  [529, "overloaded_error"],
])("answers status %d with the API's type %s", async (status, type) => {
  for (const more of [stream, {}]) {
    const answer = await post(await mockFor(), script([{ error: { status } }]), more);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({
      type: "error",
      error: { type, message: expect.stringContaining(String(status)) },
      request_id: answer.headers.get("request-id"),
    });
  }
});

test("answers an error with the type, message and headers that are given", async () => {
  const error = { status: 429, type: "t", message: "Slow down.", headers: { "retry-after": "7" } };
  const answer = await post(await mockFor(), script([{ error }]));
  expect(answer.headers.get("retry-after")).toBe("7");
  expect(await answer.json()).toMatchObject({ error: { type: "t", message: "Slow down." } });
});

const flaky = script([
  { fail: [{ error: { status: 429 } }, { error: { status: 529 } }], blocks: [{ text: "At last." }] },
]);

test("fails as often as it is told to, then succeeds", async () => {
  const mock = await mockFor();
  expect((await post(mock, flaky)).status).toBe(429);
  expect((await post(mock, flaky)).status).toBe(529);
  expect(await said(post(mock, flaky))).toBe("At last.");
  expect(await said(post(mock, flaky))).toBe("At last.");
  expect(mock.requests.map(({ rule }) => rule)).toMatchObject([0, 1, 2, 3].map((attempt) => ({ attempt })));
});

test("counts failures by session, agent and place in the conversation, whatever the agent adds to its request", async () => {
  const mock = await mockFor();
  const from = (name: string, value: string): RequestInit => ({ headers: { [name]: value } });
  expect((await post(mock, flaky)).status).toBe(429);
  expect((await post(mock, flaky, {}, from("x-claude-code-session-id", "other"))).status).toBe(429);
  expect((await post(mock, flaky, {}, from("x-claude-code-agent-id", "child"))).status).toBe(429);
  expect((await post(mock, [user(flaky), assistant("At last."), user(flaky)])).status).toBe(429);
  expect((await post(mock, [user(flaky), user("Please go on.")], { model: "model-b" })).status).toBe(529);
});

test("ends a stream with an error event", async () => {
  const list = await streamed(
    post(await mockFor(), script([[{ text: "a" }, { errorEvent: {} }, { text: "b" }]]), stream),
  );
  expect(list.at(-1)).toEqual({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
  expect(list).toHaveLength(5);
});

test("ends a stream without message_stop", async () => {
  const list = await streamed(
    post(await mockFor(), script([[{ text: "a" }, { end: true }, { text: "b" }]]), stream),
  );
  expect(list.at(-1)?.type).toBe("content_block_stop");
});

test("puts raw bytes into a stream, also such as are no text", async () => {
  const raw = [{ raw: "data: {bad\n\n" }, { raw: "/wD+", encoding: "base64" }] as const;
  const answer = await post(await mockFor(), script([[{ text: "a" }, ...raw]]), stream);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const at = bytes.indexOf("data: {bad\n\n");
  expect(at).toBeGreaterThan(0);
  expect([...bytes.subarray(at + 12, at + 15)]).toEqual([0xff, 0x00, 0xfe]);
});

test("cuts the socket after what came before has been read", async () => {
  const mock = await mockFor();
  const reader = readerOf(
    await post(mock, script([[{ text: "Before." }, { gate: "read" }, { cut: true }]]), stream),
  );
  expect(await readUntil(reader, "content_block_stop")).toContain("Before.");
  mock.release("read");
  await expect(reader.read()).rejects.toThrow();
  expect((await mock.waitForRequest((request) => request.outcome === "cut", DEADLINE_MS)).number).toBe(1);
});

test("cuts the socket only once all before is on its way", async () => {
  const { url } = await mockFor();
  const text = script([[{ text: "x", repeat: 1_000_000, chunk: 1_000_000 }, { cut: true }]]);
  const body = JSON.stringify({ model: "m", max_tokens: 9, stream: true, messages: [user(text)] });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`POST /v1/messages HTTP/1.1\r\nhost: mock\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  expect(await textOf(socket)).toContain('data: {"type":"content_block_stop"');
});

test("cuts the socket instead of an answer", async () => {
  const mock = await mockFor();
  for (const more of [stream, {}])
    await expect(post(mock, script([{ cut: true }]), more)).rejects.toThrow("fetch failed");
  expect(mock.requests.map(({ outcome }) => outcome)).toEqual(["cut", "cut"]);
});

test("never answers a call that hangs, until the client gives up", async () => {
  const mock = await mockFor();
  const client = new AbortController();
  const answer = post(mock, script([{ hang: true }]), stream, { signal: client.signal });
  await mock.waitForRequest(({ outcome }) => outcome === "open", DEADLINE_MS);
  client.abort();
  await expect(answer).rejects.toThrow(/abort/u);
  await mock.waitForRequest(({ outcome }) => outcome === "aborted", DEADLINE_MS);
});

const broken: readonly (readonly [string, ModelStep, number, string])[] = [
  [
    "an error event",
    [{ text: "a" }, { errorEvent: { type: "rate_limit_error", message: "Slow." } }],
    429,
    "rate_limit_error",
  ],
  ["an end", [{ text: "a" }, { end: true }], 200, '"content":[{"type":"text","text":"a"}]'],
  ["raw bytes", [{ text: "a" }, { raw: "<html>" }], 200, "<html>"],
];

test.each(broken)("breaks an answer that is not streamed at %s as well", async (_, step, status, part) => {
  const answer = await post(await mockFor(), script([step]));
  expect(answer.status).toBe(status);
  const text = await answer.text();
  expect(text).toContain(part);
  if (status === 200) expect(() => JSON.parse(text)).toThrow();
});

test("cuts an answer that is not streamed, and leaves out its pings", async () => {
  const mock = await mockFor();
  await expect(post(mock, script([[{ text: "a" }, { cut: true }]]))).rejects.toThrow("fetch failed");
  expect(await whole(post(mock, script([[{ ping: true }, { text: "a" }]])))).toMatchObject({
    content: [{ text: "a" }],
  });
});
