import { describe, expect, it } from "vitest";
import { MessageHub } from "../../src/live/message-hub.ts";

class Lab {
  dropped = 0;
  readonly hub: MessageHub<number>;

  constructor(buffer: number) {
    this.hub = new MessageHub({ buffer, onDrop: (count) => (this.dropped += count) });
  }

  publish(from: number, to: number): void {
    for (let n = from; n <= to; n++) this.hub.publish(n);
  }
}

async function rest(reader: AsyncIterator<number, undefined>): Promise<number[]> {
  const seen: number[] = [];
  for (let next = await reader.next(); next.done !== true; next = await reader.next()) seen.push(next.value);
  return seen;
}

describe("the hub of events", () => {
  it("L4 gives every reader every message from its beginning on", async () => {
    const lab = new Lab(10);
    const [one, two] = [lab.hub[Symbol.asyncIterator](), lab.hub[Symbol.asyncIterator]()];
    lab.publish(1, 3);
    const late = lab.hub[Symbol.asyncIterator]();
    lab.publish(4, 5);
    lab.hub.end();
    expect(await Promise.all([one, two, late].map(rest))).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [4, 5],
    ]);
    expect(lab.dropped).toBe(0);
  });

  it("L4 drops the oldest for a slow reader, and counts them", async () => {
    const lab = new Lab(3);
    const slow = lab.hub[Symbol.asyncIterator]();
    lab.publish(1, 10);
    lab.hub.end();
    expect(await rest(slow)).toEqual([8, 9, 10]);
    expect(lab.dropped).toBe(7);
  });

  it("L4 drops nothing for a reader that keeps up beside a slow one", async () => {
    const lab = new Lab(2);
    const [slow, quick] = [lab.hub[Symbol.asyncIterator](), lab.hub[Symbol.asyncIterator]()];
    const seen: number[] = [];
    for (let n = 1; n <= 5000; n++) {
      lab.hub.publish(n);
      seen.push((await quick.next()).value ?? 0);
    }
    lab.hub.end();
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(await rest(slow)).toEqual([4999, 5000]);
  });

  it("L4 delivers what is buffered after the end, then is over", async () => {
    const lab = new Lab(10);
    const reader = lab.hub[Symbol.asyncIterator]();
    lab.publish(1, 2);
    lab.hub.end();
    lab.publish(3, 3);
    expect(await rest(reader)).toEqual([1, 2]);
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  it("L4 is over at once for who begins after the end", async () => {
    const lab = new Lab(10);
    lab.hub.end();
    expect(await rest(lab.hub[Symbol.asyncIterator]())).toEqual([]);
  });

  it("L4 answers all who wait at the same time", async () => {
    const lab = new Lab(10);
    const reader = lab.hub[Symbol.asyncIterator]();
    const waiting = [reader.next(), reader.next(), reader.next()];
    lab.publish(1, 2);
    lab.hub.end();
    const found = (await Promise.all(waiting)).map(({ value, done }) => (done === true ? "over" : value));
    expect(new Set(found)).toEqual(new Set([1, 2, "over"]));
  });

  it("L4 buffers nothing for a reader that has left", async () => {
    const lab = new Lab(1);
    for await (const n of numbersAfterStart(lab)) if (n === 1) break;
    lab.publish(2, 100);
    expect(lab.dropped).toBe(0);
  });

  it("L4 wakes a reader that is made to leave while it waits", async () => {
    const lab = new Lab(1);
    const reader = lab.hub[Symbol.asyncIterator]();
    const waiting = reader.next();
    await reader.return?.();
    expect((await waiting).done).toBe(true);
  });
});

/** The hub, publishing a first message once somebody reads. */
function numbersAfterStart(lab: Lab): AsyncIterable<number> {
  return {
    [Symbol.asyncIterator]: () => {
      const reader = lab.hub[Symbol.asyncIterator]();
      lab.publish(1, 1);
      return reader;
    },
  };
}
