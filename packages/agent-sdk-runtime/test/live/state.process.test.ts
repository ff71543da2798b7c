// L3 and L5: what can be read of a session at any time.
import { describe, expect, it } from "vitest";
import type { LiveState } from "../../src/live/live-state.ts";
import { expectFault, open, openAsk, until } from "./live-lab.ts";

describe("the state", () => {
  it("L3 is readable before, during and after everything", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    expect(session.state).toMatchObject({ activity: "idle", resultsSeen: 0 });
    expect(session.state.lastResult).toBeUndefined();
    await session.send("ask Write");
    const ask = await openAsk(session);
    expect(session.state).toMatchObject({ activity: "working", resultsSeen: 0 });
    await session.answer(ask, { behavior: "allow" });
    await until(session, ({ resultsSeen }) => resultsSeen === 1);
    expect(session.state).toMatchObject({ activity: "idle", asks: [] });
    await session.close();
    expect(session.state).toMatchObject({ activity: "ended", resultsSeen: 1 });
    expect(session.state.end).toMatchObject({ code: 0, signal: null, error: { fault: { kind: "closed" } } });
  });

  it("L3 counts results of slash commands, blank prompts, errors and interrupts", async () => {
    const session = await open("agent");
    await session.command("/context");
    await session.awaitResultAfter(0);
    await session.command("   ");
    await session.awaitResultAfter(1);
    expect((await session.sendAndAwait("fail no")).is_error).toBe(true);
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await session.interrupt();
    expect((await session.awaitResultAfter(3)).terminal_reason).toBe("aborted_streaming");
    expect(session.state).toMatchObject({ resultsSeen: 4, backgroundResults: 0 });
  });

  it("L3 counts results of background tasks apart, whenever they come", async () => {
    const session = await open("agent");
    await session.sendAndAwait("background true\nbackground true\nanswer started");
    await until(session, ({ backgroundResults }) => backgroundResults === 2);
    expect(session.state.resultsSeen).toBe(1);
    expect((await session.sendAndAwait("answer mine")).result).toBe("mine");
    expect(session.state.lastResult?.result).toBe("mine");
  });

  it("L3 counts a result without its fields, and goes on", async () => {
    const session = await open("bare-result");
    await session.send("go");
    const state = await until(session, ({ resultsSeen }) => resultsSeen === 3);
    expect(state.lastResult).toMatchObject({ subtype: "success", is_error: false, result: "whole" });
  });
});

describe("the changes of the state", () => {
  it("L3 begin with the state now, follow it and complete when the process ends", async () => {
    const session = await open("numbered");
    const seen: LiveState[] = [];
    const reading = (async () => {
      for await (const state of session.stateChanges) seen.push(state);
    })();
    await session.sendAndAwait("1");
    await session.sendAndAwait("2");
    await session.close();
    await reading;
    expect(seen[0]).toMatchObject({ resultsSeen: 0, activity: "idle" });
    expect(seen.at(-1)).toBe(session.state);
    const counts = seen.map(({ resultsSeen }) => resultsSeen);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  });

  it("L3 skip what lies between two looks, and end with the last state", async () => {
    const session = await open("numbered");
    const changes = session.stateChanges[Symbol.asyncIterator]();
    await changes.next();
    for (const n of ["1", "2", "3"]) await session.sendAndAwait(n);
    await session.close();
    const { value } = await changes.next();
    expect((value as LiveState).end).toBeDefined();
    expect((await changes.next()).done).toBe(true);
  });

  it("L3 let a reader go that is made to leave while it waits", async () => {
    const session = await open("hello");
    const changes = session.stateChanges[Symbol.asyncIterator]();
    await changes.next();
    const waiting = changes.next();
    await changes.return?.();
    expect((await waiting).done).toBe(true);
    expect((await changes.next()).done).toBe(true);
  });

  it("L3 give who comes after the end the last state", async () => {
    const session = await open("hello");
    await session.close();
    const states: LiveState[] = [];
    for await (const state of session.stateChanges) states.push(state);
    expect(states).toEqual([session.state]);
  });
});

describe("info", () => {
  it("L5 waits until the CLI names the session", async () => {
    const session = await open("hello");
    let told = false;
    const info = session.info().then((found) => {
      told = true;
      return found;
    });
    await session.control({ subtype: "mcp_status" });
    expect(told).toBe(false);
    await session.send("hi");
    expect(await info).toEqual({
      sessionId: session.state.sessionId,
      pid: session.pid,
      initialized: session.initialized,
    });
    expect(session.initialized).toMatchObject({ claude_code_version: "2.1.332" });
  });

  it("L5 is the name that was chosen, or resumed", async () => {
    const sessionId = crypto.randomUUID();
    const session = await open("hello", { sessionId });
    await session.send("hi");
    expect((await session.info()).sessionId).toBe(sessionId);
  });

  it("L5 fails with the error of the end when the process ends first", async () => {
    const session = await open("nameless");
    const info = session.info();
    await session.sendAndAwait("who are you");
    await session.close();
    await expectFault(info, "closed");
    expect(session.state.sessionId).toBeUndefined();
  });

  it("L5 fails when the CLI does not name its session in time, and is no sentinel", async () => {
    const session = await open("nameless");
    await session.sendAndAwait("who are you");
    const error = await expectFault(session.info({ timeoutMs: 50 }), "timeout");
    expect(error.fault.afterMs).toBe(50);
    expect(error.message).toContain("name its session");
  });

  it("L5 is still there after the end", async () => {
    const session = await open("hello");
    await session.sendAndAwait("hi");
    await session.close();
    expect((await session.info()).sessionId).toBe(session.state.sessionId);
  });

  it("L5 shows a later name in the state", async () => {
    const session = await open("hello");
    await session.sendAndAwait("hi");
    const { sessionId } = await session.info();
    await session.command("/clear");
    await session.awaitResultAfter(1);
    expect(session.state.sessionId).not.toBe(sessionId);
    expect((await session.info()).sessionId).toBe(session.state.sessionId);
  });
});
