import { once } from "node:events";
import { createServer, request } from "node:http";
import { onTestFinished, expect, test } from "vitest";
import type { Act } from "../src/reply/act.ts";
import { play } from "../src/server/play.ts";

const MIB = 1024 * 1024;
const WRITES = 100;

// What the sockets of both sides may hold.
const BUFFERED = 32 * MIB;

test("takes from a long reply only as much as the client reads", async () => {
  let taken = 0;
  const acts = function* (): Generator<Act> {
    yield { kind: "head", status: 200, headers: {} };
    for (; taken < WRITES * MIB; taken += MIB) yield { kind: "write", data: Buffer.alloc(MIB) };
  };
  const server = createServer((_, response) => {
    void play(acts(), { response, closed: new AbortController().signal, passGate: () => Promise.resolve() });
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");

  const call = request({ host: "127.0.0.1", port: address.port, agent: false }).end();
  const [response] = (await once(call, "response")) as [AsyncIterable<Buffer>];
  let read = 0;
  for await (const chunk of response) {
    read += chunk.length;
    expect(taken - read).toBeLessThan(BUFFERED);
  }
  expect(read).toBe(WRITES * MIB);
});
