// L11: what becomes of a send.
import { describe, expect, it } from "vitest";
import { expectFault, open, openAsk, scratch, until } from "./live-lab.ts";

const uuid = (): string => crypto.randomUUID();

describe("the fate of a send", () => {
  it("L11 names the result that consumed it", async () => {
    const session = await open("numbered");
    await session.sendAndAwait("0");
    const id = uuid();
    await session.send("1", { uuid: id });
    expect(await session.settledFate(id)).toEqual({ state: "completed", result: 2 });
    expect(session.fate(id)).toEqual({ state: "completed", result: 2 });
    expect(session.state.lastResult?.user_message_uuids).toEqual([id]);
  });

  it("L11 is written until the CLI says more", async () => {
    const session = await open("deaf", { closeTimeoutMs: 500 });
    const id = uuid();
    await session.send("x", { uuid: id });
    expect(session.fate(id)).toEqual({ state: "written" });
    expect(session.state.tellsFates).toBeUndefined();
  });

  it("L11 is there before the CLI has taken the line, so that no word of it can come too early", async () => {
    const session = await open("deaf", { controlTimeoutMs: 2000, closeTimeoutMs: 500 });
    const id = uuid();
    // More than a pipe holds, so that the write does not end.
    const timedOut = expectFault(session.send("x".repeat(4_000_000), { uuid: id }), "timeout");
    await until(session, () => session.fate(id) !== undefined);
    expect(session.fate(id)).toEqual({ state: "written" });
    await timedOut;
  });

  it("L11 of a send that was folded into a turn names that turn's result", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const [opener, folded] = [uuid(), uuid()];
    await session.send("ask Write", { uuid: opener });
    const ask = await openAsk(session);
    await session.send("answer x", { uuid: folded });
    await until(session, () => session.fate(folded)?.state === "queued");
    await session.answer(ask, { behavior: "allow" });
    const fates = [await session.settledFate(opener), await session.settledFate(folded)];
    expect(fates).toEqual(Array.from({ length: 2 }, () => ({ state: "completed", result: 1 })));
  });

  it("L11 of sends that wait together is one turn's, after the running one", async () => {
    const session = await open("agent");
    const [first, ...others] = [uuid(), uuid(), uuid()];
    await session.send("work", { uuid: first });
    await until(session, ({ activity }) => activity === "working");
    for (const each of others) await session.send("answer x", { uuid: each });
    await session.interrupt();
    expect(await session.settledFate(first)).toEqual({ state: "cancelled", result: 1 });
    for (const each of others)
      expect(await session.settledFate(each)).toEqual({ state: "completed", result: 2 });
  });

  it("L11 is cancelled for what was called off, without a result", async () => {
    const session = await open("agent");
    const id = uuid();
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await session.send("answer never", { uuid: id });
    await session.interrupt({ cancelQueued: true });
    expect(await session.settledFate(id)).toEqual({ state: "cancelled" });
  });

  it("L11 of an input that goes first, and of what it pre-empts", async () => {
    const session = await open("agent");
    const [first, now] = [uuid(), uuid()];
    await session.send("work", { uuid: first });
    await until(session, ({ activity }) => activity === "working");
    await session.send("answer now", { uuid: now, priority: "now" });
    expect(await session.settledFate(first)).toEqual({ state: "cancelled", result: 1 });
    expect(await session.settledFate(now)).toEqual({ state: "completed", result: 2 });
  });

  it("L11 is known where the session had the uuid already: nothing runs again", async () => {
    const session = await open("numbered");
    const id = uuid();
    await session.send("1", { uuid: id });
    await session.settledFate(id);
    await session.send("1", { uuid: id });
    expect(await session.settledFate(id)).toEqual({ state: "known" });
    expect(session.state.resultsSeen).toBe(1);
  });

  it("L11 is known in a session that was resumed", async () => {
    const env = { CLAUDE_CONFIG_DIR: scratch() };
    const [id, sessionId] = [uuid(), uuid()];
    const first = await open("hello", { sessionId, env });
    await first.send("1", { uuid: id });
    await first.settledFate(id);
    await first.close();
    const second = await open("hello", { resume: sessionId, env });
    await second.send("1", { uuid: id });
    expect(await second.settledFate(id)).toEqual({ state: "known" });
    expect(second.state.resultsSeen).toBe(0);
  });

  it("L11 is unobserved where the CLI is too old to tell, and the counter still counts", async () => {
    const session = await open("old");
    const [one, other] = [uuid(), uuid()];
    const result = await session.sendAndAwait("1", { uuid: one });
    expect(result.result).toBe("1");
    expect(await session.settledFate(one)).toEqual({ state: "unobserved" });
    expect(session.state.tellsFates).toBe(false);
    await session.send("2", { uuid: other });
    expect(session.fate(other)).toEqual({ state: "unobserved" });
  });

  it("L11 is none of a send without a uuid, and is never needed", async () => {
    const session = await open("numbered");
    expect((await session.sendAndAwait("1")).result).toBe("1");
    expect(session.state.sends.size).toBe(0);
    expect(session.fate(uuid())).toBeUndefined();
    await expect(session.settledFate(uuid())).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("L11 of a send that nobody ended fails with the process, or in time", async () => {
    const session = await open("agent");
    const id = uuid();
    await session.send("work", { uuid: id });
    await expectFault(session.settledFate(id, { timeoutMs: 20 }), "timeout");
    const settled = session.settledFate(id);
    await until(session, ({ activity }) => activity === "working");
    process.kill(session.pid, "SIGKILL");
    await expectFault(settled, "exited");
  });
});
