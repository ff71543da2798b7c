import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { script, startMockModels } from "../src/index.ts";
import { DEADLINE_MS, failureOf, mockFor, post, readerOf, readUntil } from "./lab.ts";

test("ends every reply, socket, gate and wait, and frees its port", async () => {
  const ended: string[] = [];
  const mock = await startMockModels({ onEnd: ({ outcome }) => ended.push(outcome) });
  const port = Number(new URL(mock.url).port);
  const idle = connect(port, "127.0.0.1");
  const idleClosed = once(idle, "close");
  await once(idle, "connect");
  const hanging = failureOf(post(mock, script([{ hang: true }])));
  const delayed = failureOf(post(mock, script([{ delayMs: 3_000_000, blocks: [] }])));
  const stream = post(mock, script([[{ text: "Before." }, { gate: "never" }]]), { stream: true });
  const reader = readerOf(await stream);
  await readUntil(reader, "Before.");
  await mock.waitForRequest(({ number }) => number === 3, DEADLINE_MS);
  const wait = failureOf(mock.waitForRequest(() => false, DEADLINE_MS));

  await mock.close();
  expect(ended).toEqual(["cut", "cut", "cut"]);
  expect(await hanging).toContain("fetch failed");
  expect(await delayed).toContain("fetch failed");
  expect(await wait).toContain("was closed before");
  await expect(reader.read()).rejects.toThrow();
  await idleClosed;
  const again = await mockFor({ port });
  expect(again.url).toBe(mock.url);
});

test("can be closed twice, and by `await using`", async () => {
  let url: string;
  {
    await using mock = await startMockModels();
    ({ url } = mock);
    expect((await fetch(`${url}/__mock/health`)).status).toBe(200);
    await mock.close();
  }
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("says that a port is taken", async () => {
  const mock = await mockFor();
  await expect(startMockModels({ port: Number(new URL(mock.url).port) })).rejects.toThrow("EADDRINUSE");
});
