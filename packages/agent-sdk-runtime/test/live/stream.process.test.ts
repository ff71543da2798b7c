// L1 and L4: the stream of messages.
import { describe, expect, it } from "vitest";
import { collect, open, textOf, until } from "./live-lab.ts";

describe("a session is a stream", () => {
  it("L1 tells all that the CLI says, in order, whatever turn it is of", async () => {
    const session = await open("agent");
    const messages = collect(session);
    await session.sendAndAwait("answer one\nslow-tool echo two");
    await session.close();
    const types = messages.map(({ type }) => type);
    expect(types.filter((type) => type !== "control_response")).toEqual([
      "system",
      "assistant",
      "assistant",
      "user",
      "assistant",
      "result",
    ]);
  });

  it("L1 leaves it to the CLI where a turn begins: two sends can be one", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const messages = collect(session);
    await session.send("ask Write");
    const { asks } = await until(session, (state) => state.asks.length > 0);
    await session.send("answer folded in");
    await session.answer(asks[0] ?? expect.fail(), { behavior: "allow" });
    await until(session, (state) => state.resultsSeen === 1);
    await session.close();
    expect(session.state.resultsSeen).toBe(1);
    expect(messages.filter(({ type }) => type === "result")).toHaveLength(1);
  });

  it("L1 has messages that answer no send: those of a background task that ended", async () => {
    const session = await open("agent");
    const messages = collect(session);
    await session.sendAndAwait("background true");
    const state = await until(session, ({ backgroundResults }) => backgroundResults === 1);
    expect(state.resultsSeen).toBe(1);
    expect(state.lastBackgroundResult?.result).toContain("A command");
    expect(messages.some((message) => message["subtype"] === "task_notification")).toBe(true);
  });

  it("L1 keeps messages and fields that nobody knows as they are", async () => {
    const session = await open("stray-lines");
    const messages = collect(session);
    await session.sendAndAwait("go");
    await session.close();
    const unknown = messages.find(({ type }) => type === "no_such_kind");
    expect(unknown).toMatchObject({ detail: { constructor: 1 } });
  });
});

describe("the events", () => {
  it("L4 reach any number of readers, each whole", async () => {
    const session = await open("agent", { partialMessages: true });
    const readers = Array.from({ length: 5 }, () => collect(session));
    await session.sendAndAwait("stream a text in pieces");
    await session.close();
    const [first, ...others] = readers;
    expect(first?.some(({ type }) => type === "stream_event")).toBe(true);
    for (const reader of others) expect(reader).toEqual(first);
  });

  it("L4 drop the oldest for a reader that is too slow, count them, and lose no result", async () => {
    const session = await open("flood", { eventsBuffer: 10 });
    const slow = session.events[Symbol.asyncIterator]();
    const result = await session.sendAndAwait("500 100");
    expect(result.result).toBe("500");
    // init, the flood, the answer and the result passed; ten of them wait.
    expect(session.state.droppedEvents).toBe(503 - 10);
    await session.close();
    const left: unknown[] = [];
    for (let next = await slow.next(); next.done !== true; next = await slow.next()) left.push(next.value);
    expect(left).toHaveLength(10);
  });

  it("L4 are delivered after the end as far as they are buffered, then complete", async () => {
    const session = await open("hello");
    const reader = session.events[Symbol.asyncIterator]();
    await session.sendAndAwait("hi");
    await session.close();
    const types: string[] = [];
    for (let next = await reader.next(); next.done !== true; next = await reader.next())
      types.push(next.value.type);
    expect(types).toEqual(expect.arrayContaining(["system", "assistant", "result"]));
  });

  it("L4 complete when the process ends by itself", async () => {
    const session = await open("ends-unasked");
    const reading = (async () => {
      for await (const _ of session.events);
      return "complete";
    })();
    await session.send("go");
    expect(await reading).toBe("complete");
  });

  it("L4 stop nothing when a reader leaves: neither the reader of the CLI nor the agent", async () => {
    const session = await open("agent");
    const first = (async () => {
      for await (const message of session.events) if (message.type === "system") return message;
      return undefined;
    })();
    await session.send("answer one\nslow-tool sleep 0.2; echo two");
    expect(await first).toBeDefined();
    expect(textOf(await until(session, (state) => state.resultsSeen === 1))).toBe("two");
    expect((await session.sendAndAwait("answer three")).result).toBe("three");
  });

  it("L4 are not read by anybody, and the session works", async () => {
    const session = await open("flood", { eventsBuffer: 1 });
    expect((await session.sendAndAwait("2000 100")).result).toBe("2000");
    expect(session.state.droppedEvents).toBe(0);
  });
});
