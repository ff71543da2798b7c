// Results that land before, during and after the call that waits for them.
import { setImmediate as nextTick, setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { LiveSession } from "../../src/live/live-session.ts";
import type { ClaudeResult } from "../../src/live/messages.ts";
import { open, until } from "./live-lab.ts";

/** Ways to send a number and wait for its result, with the result landing at another moment each. */
const WAYS: readonly ((session: LiveSession, text: string) => Promise<ClaudeResult>)[] = [
  // Whenever it lands.
  (session, text) => session.sendAndAwait(text),
  // Before the call.
  async (session, text) => {
    const seen = session.state.resultsSeen;
    await session.send(text);
    await until(session, ({ resultsSeen }) => resultsSeen > seen);
    return session.awaitResultAfter(seen);
  },
  // After it: the call comes before the send.
  async (session, text) => {
    const waiting = session.awaitResultAfter(session.state.resultsSeen);
    await session.send(text);
    return waiting;
  },
  // During it: some microtasks, ticks or milliseconds after the send.
  ...[1, 2, 5, 20].map((count) => async (session: LiveSession, text: string) => {
    const seen = session.state.resultsSeen;
    await session.send(text);
    for (let n = 0; n < count; n++) await Promise.resolve();
    return session.awaitResultAfter(seen);
  }),
  ...[nextTick, () => delay(1)].map((pause) => async (session: LiveSession, text: string) => {
    const seen = session.state.resultsSeen;
    await session.send(text);
    await pause();
    return session.awaitResultAfter(seen);
  }),
  // In the very turn of the event loop in which it lands.
  async (session, text) => {
    const seen = session.state.resultsSeen;
    const landed = until(session, ({ resultsSeen }) => resultsSeen > seen);
    await session.send(text);
    return landed.then(() => session.awaitResultAfter(seen, { timeoutMs: 0 }));
  },
];

describe("sends and waits", () => {
  it("L6 L7 give 1,000 results, each to its own wait: none lost, none wrong", async () => {
    const session = await open("numbered");
    for (let n = 0; n < 1000; n++) {
      const way = WAYS[n % WAYS.length] ?? expect.fail();
      expect((await way(session, `${n}`)).result).toBe(`${n}`);
      expect(session.state.resultsSeen).toBe(n + 1);
    }
  }, 60_000);

  it("L6 L11 give every one of 1,000 sends at once its fate", async () => {
    const session = await open("numbered");
    const uuids = Array.from({ length: 1000 }, () => crypto.randomUUID());
    const settled = uuids.map(async (uuid, n) => {
      await session.send(`${n}`, { uuid });
      return session.settledFate(uuid);
    });
    const fates = await Promise.all(settled);
    const { resultsSeen } = session.state;
    expect(fates.every(({ state }) => state === "completed")).toBe(true);
    expect(Math.max(...fates.map(({ result = 0 }) => result))).toBe(resultsSeen);
    expect(new Set(fates.map(({ result }) => result)).size).toBe(resultsSeen);
  });
});

describe("eight sessions at once", () => {
  it("L3 L4 lose no result under load", async () => {
    const turns = 50;
    const work = async (): Promise<number> => {
      const session = await open("flood", { eventsBuffer: 5 });
      const slow = session.events[Symbol.asyncIterator]();
      let read = 0;
      for (let turn = 1; turn <= turns; turn++) {
        const result = await session.sendAndAwait(`${turn % 4} 100000`);
        expect(result.result).toBe(`${turn % 4}`);
        expect(result["result_index"]).toBe(turn - 1);
        expect(session.state.resultsSeen).toBe(turn);
        if (turn % 5 === 0) read += (await slow.next()).done === true ? 0 : 1;
      }
      await session.close();
      while ((await slow.next()).done !== true) read += 1;
      // Each turn has an init, a text and a result beside the flood; the close adds the answer to it.
      const published =
        Array.from({ length: turns }, (_, n) => 3 + ((n + 1) % 4)).reduce((a, b) => a + b) + 1;
      expect(read + session.state.droppedEvents).toBe(published);
      return session.state.resultsSeen;
    };
    const counts = await Promise.all(Array.from({ length: 8 }, work));
    expect(counts).toEqual(Array.from({ length: 8 }, () => turns));
  }, 60_000);
});
