// L6: waiting for results.
import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { expectFault, open, openAsk, until } from "./live-lab.ts";

describe("awaitResultAfter", () => {
  it("L6 wakes on the next result", async () => {
    const session = await open("numbered");
    const waiting = session.awaitResultAfter(0);
    await session.send("1");
    expect((await waiting).result).toBe("1");
  });

  it("L6 returns at once when the result landed before the call", async () => {
    const session = await open("numbered");
    await session.send("1");
    await until(session, ({ resultsSeen }) => resultsSeen === 1);
    expect((await session.awaitResultAfter(0, { timeoutMs: 0 })).result).toBe("1");
  });

  it("L6 returns at once for any count that is passed, also after the end", async () => {
    const session = await open("numbered");
    for (const n of ["1", "2", "3"]) await session.sendAndAwait(n);
    await session.close();
    for (const seen of [-1, 0, 2]) expect((await session.awaitResultAfter(seen)).result).toBe("3");
    await expectFault(session.awaitResultAfter(3), "closed");
  });

  it("L6 refuses what is no count, which it would wait on for ever", async () => {
    const session = await open("numbered");
    const waiting = session.awaitResultAfter(Number.NaN);
    await expect(waiting).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("L6 gives the later of two results between looks", async () => {
    const session = await open("numbered");
    await session.sendAndAwait("1");
    await session.sendAndAwait("2");
    expect((await session.awaitResultAfter(0)).result).toBe("2");
  });

  it("L6 is not woken by results of background tasks", async () => {
    const session = await open("agent");
    await session.sendAndAwait("background true");
    const waiting = session.awaitResultAfter(1);
    await until(session, ({ backgroundResults }) => backgroundResults === 1);
    await session.send("answer mine");
    expect((await waiting).result).toBe("mine");
  });

  it("L6 wakes everybody who waits", async () => {
    const session = await open("numbered");
    const waiting = Array.from({ length: 100 }, () => session.awaitResultAfter(0));
    await session.send("1");
    expect(new Set((await Promise.all(waiting)).map(({ result }) => result))).toEqual(new Set(["1"]));
  });

  it("L6 fails with the recorded error when the process ends first", async () => {
    const session = await open("killed");
    const waiting = session.awaitResultAfter(0);
    await session.send("go");
    const error = await expectFault(waiting, "exited");
    expect(error.fault).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(error).toBe(session.state.end?.error);
    expect(await expectFault(session.awaitResultAfter(0), "exited")).toBe(error);
  });

  it("L6 gives a result that landed together with the end", async () => {
    const session = await open("output-held");
    expect(Number((await session.sendAndAwait("go")).result)).toBeGreaterThan(0);
  });

  it("L6 ends by its own deadline and signal, and leaves nothing behind", async () => {
    const session = await open("never-ending");
    await session.send("work");
    const controller = new AbortController();
    const reason = new Error("enough");
    const waiting = session.awaitResultAfter(0, { signal: controller.signal });
    const error = await expectFault(session.awaitResultAfter(0, { timeoutMs: 20 }), "timeout");
    expect(error.fault.afterMs).toBe(20);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(session.awaitResultAfter(0, { signal: controller.signal })).rejects.toBe(reason);
    expect(session.state.end).toBeUndefined();
  });

  it("L6 piles up no listeners on a signal that is used again and again", async () => {
    const session = await open("numbered");
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", warn);
    const { signal } = new AbortController();
    for (let n = 0; n < 50; n++) await session.sendAndAwait(`${n}`, { signal, timeoutMs: 20_000 });
    const waiting = Array.from({ length: 50 }, () => session.awaitResultAfter(50, { signal }));
    await session.send("last");
    await Promise.all(waiting);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warn);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(warnings).toEqual([]);
  });

  it("L6 wakes with an error result when the turn is interrupted", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const waiting = session.sendAndAwait("ask Write");
    await openAsk(session);
    await session.interrupt();
    expect(await waiting).toMatchObject({ is_error: true, subtype: "error_during_execution" });
  });
});
