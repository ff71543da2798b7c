import { expect, test } from "vitest";
import { script } from "../src/index.ts";
import { DEADLINE_MS, mockFor, post, readerOf, readUntil, said, streamed, whole } from "./lab.ts";

const stream = { stream: true };

test("waits at a gate in the stream until it is released", async () => {
  const mock = await mockFor();
  const step = [{ text: "Before." }, { gate: "half-way" }, { text: "After." }];
  const reader = readerOf(await post(mock, script([step]), stream));
  expect(await readUntil(reader, "content_block_stop")).not.toContain("After.");
  await mock.waitForRequest(({ gate }) => gate === "half-way", DEADLINE_MS);
  mock.release("other");
  mock.release("half-way");
  expect(await readUntil(reader, "message_stop")).toContain("After.");
  expect(mock.requests[0]).toMatchObject({ gate: undefined, outcome: "answered" });
});

test("lets a gate stay open, also for those that come to it later", async () => {
  const mock = await mockFor();
  mock.release("error");
  expect(await said(post(mock, script([[{ gate: "error" }, { text: "Passed." }]])))).toBe("Passed.");
});

test("waits at a gate before it answers anything, even an error", async () => {
  const mock = await mockFor();
  const answers = [
    post(mock, script([{ gate: "start", blocks: [] }]), stream),
    post(mock, script([{ gate: "start", error: { status: 500 } }])),
  ];
  const first = Promise.race(answers.map(async (answer) => (await answer).status));
  await mock.waitForRequest(({ number, gate }) => number === 2 && gate === "start", DEADLINE_MS);
  await mock.waitForRequest(({ number, gate }) => number === 1 && gate === "start", DEADLINE_MS);
  expect(await Promise.race([first, Promise.resolve("nothing yet")])).toBe("nothing yet");
  mock.release("start");
  expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([200, 500]);
});

test("waits at least as long as delays and pace say", async () => {
  const mock = await mockFor();
  const start = performance.now();
  const blocks = [{ delayMs: 60 }, { text: "abcd", chunk: 2 }, { text: "ef", chunk: 1, paceMs: 30 }];
  const list = await streamed(post(mock, script([{ delayMs: 50, paceMs: 40, blocks }]), stream));
  // Timers count whole milliseconds, so each of six may seem a little early.
  expect(performance.now() - start).toBeGreaterThanOrEqual(50 + 60 + 2 * 40 + 2 * 30 - 6);
  expect(list.flatMap(({ delta }) => delta?.["text"] ?? [])).toEqual(["ab", "cd", "e", "f"]);
  const again = performance.now();
  await whole(post(mock, script([{ delayMs: 50, blocks }])));
  expect(performance.now() - again).toBeGreaterThanOrEqual(50 + 60 - 2);
});

test("cuts all blocks of a reply to its chunk", async () => {
  const blocks = [
    { text: "abc" },
    { thinking: "de" },
    { tool: "T", rawInput: "fg" },
    { text: "hi", chunk: 9 },
  ];
  const list = await streamed(post(await mockFor(), script([{ chunk: 1, blocks }]), stream));
  const texts = list.flatMap(
    ({ delta }) => delta?.["text"] ?? delta?.["thinking"] ?? delta?.["partial_json"] ?? [],
  );
  expect(texts).toEqual(["a", "b", "c", "d", "e", "f", "g", "hi"]);
});

test("sends a ping where it is told to", async () => {
  const list = await streamed(
    post(await mockFor(), script([[{ text: "a" }, { ping: true }, { text: "b" }]]), stream),
  );
  expect(list[4]).toEqual({ type: "ping" });
  expect(list[5]).toMatchObject({ type: "content_block_start", index: 1 });
});
