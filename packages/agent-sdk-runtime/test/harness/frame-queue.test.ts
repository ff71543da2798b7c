import type { RawFrame } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { FrameQueue } from "../../src/harness/frame-queue.ts";

function frame(payload: unknown): RawFrame {
  return { dir: "received", channel: "", payload, at: 0 };
}

test("gives everything since the last read, in order", async () => {
  const queue = new FrameQueue();
  queue.push(frame(1), 1);
  queue.push(frame(2), 1);
  expect(await queue.read()).toEqual([frame(1), frame(2)]);
  queue.push(frame(3), 1);
  expect(await queue.read()).toEqual([frame(3)]);
});

test("waits for a frame, and for the end", async () => {
  const queue = new FrameQueue();
  const first = queue.read();
  queue.push(frame(1), 1);
  expect(await first).toEqual([frame(1)]);
  const second = queue.read();
  queue.end();
  expect(await second).toBeUndefined();
});

test("hands out what is queued before it tells the end, and drops what comes later", async () => {
  const queue = new FrameQueue();
  queue.push(frame(1), 1);
  queue.end();
  queue.push(frame(2), 1);
  expect(await queue.read()).toEqual([frame(1)]);
  expect(await queue.read()).toBeUndefined();
  expect(await queue.read()).toBeUndefined();
});

test("makes a producer wait once it is full, until it is read", async () => {
  const queue = new FrameQueue(10);
  await queue.room();
  queue.push(frame(1), 10);
  expect(queue.full).toBe(true);
  let waited = true;
  const room = queue.room().then(() => (waited = false));
  await new Promise((resolve) => setImmediate(resolve));
  expect(waited).toBe(true);
  await queue.read();
  await room;
  expect(queue.full).toBe(false);
});

test.each(["unbound", "end"] as const)("lets a waiting producer go on %s", async (way) => {
  const queue = new FrameQueue(1);
  queue.push(frame(1), 1);
  const room = queue.room();
  queue[way]();
  await room;
  expect(queue.full).toBe(false);
});
