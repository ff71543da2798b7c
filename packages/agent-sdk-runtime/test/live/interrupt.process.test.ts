// L8: stopping the running turn.
import { describe, expect, it } from "vitest";
import { existsSync, readFileSync } from "node:fs";
import { expectFault, isRunning, message, open, openAsk, scratch, until } from "./live-lab.ts";

describe("interrupt", () => {
  it("L8 stops the agent in its text; the session survives", async () => {
    const session = await open("never-ending");
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await session.interrupt();
    const result = await session.awaitResultAfter(0);
    expect(result).toMatchObject({ is_error: true, terminal_reason: "aborted_streaming" });
    const again = session.sendAndAwait("again");
    await until(session, ({ activity }) => activity === "working");
    await session.interrupt();
    expect((await again).is_error).toBe(true);
    expect(session.state.resultsSeen).toBe(2);
  });

  it("L8 stops a tool, with the process that it runs", async () => {
    const session = await open("agent");
    const folder = scratch();
    const started = message(session, ({ type }) => type === "assistant");
    await session.send(`slow-tool echo $$ > ${folder}/pid; exec sleep 60`);
    await started;
    await expect.poll(() => existsSync(`${folder}/pid`)).toBe(true);
    const pid = Number(readFileSync(`${folder}/pid`, "utf8"));
    expect(isRunning(pid)).toBe(true);
    await session.interrupt();
    expect(await session.awaitResultAfter(0)).toMatchObject({
      terminal_reason: "aborted_tools",
      is_error: true,
    });
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
  });

  it("L8 withdraws a request that is open", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    await session.send("ask Write");
    const ask = await openAsk(session);
    await session.interrupt();
    expect(session.state.asks).toEqual([]);
    await expect(session.answer(ask, { behavior: "allow" })).rejects.toMatchObject({ code: "invalid-input" });
    await session.awaitResultAfter(0);
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
  });

  it("L8 lets queued input run afterwards, unless that is called off as well", async () => {
    const session = await open("agent");
    const [kept, dropped] = [crypto.randomUUID(), crypto.randomUUID()];
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await session.send("work", { uuid: kept });
    await until(session, () => session.fate(kept)?.state === "queued");
    await session.interrupt();
    await until(session, () => session.fate(kept)?.state === "started");
    await session.send("answer never", { uuid: dropped });
    await until(session, () => session.fate(dropped)?.state === "queued");
    await session.interrupt({ cancelQueued: true });
    expect(await session.settledFate(dropped)).toEqual({ state: "cancelled" });
    await until(session, ({ resultsSeen }) => resultsSeen === 2);
  });

  it("L8 changes nothing while the session is idle", async () => {
    const session = await open("hello");
    await session.interrupt();
    expect(session.state.resultsSeen).toBe(0);
    expect((await session.sendAndAwait("hi")).result).toBe("You said: hi");
  });

  it("L8 fails in time when the CLI does not answer, and the session goes on", async () => {
    const session = await open("no-interrupt");
    await session.send("work");
    const error = await expectFault(session.interrupt({ timeoutMs: 50 }), "timeout");
    expect(error.message).toContain('"interrupt"');
    expect(session.state.end).toBeUndefined();
    expect(await session.mcpStatus()).toEqual({ mcpServers: [] });
  });

  it("L8 pairs answers with their requests, however many are open", async () => {
    const session = await open("hello");
    const answers = await Promise.all([
      session.mcpStatus(),
      session.contextUsage(),
      session.rewindFiles(crypto.randomUUID()),
      session.control({ subtype: "set_model", model: "m" }),
    ]);
    const [mcp, context, rewind, model] = answers;
    expect(mcp).toEqual({ mcpServers: [] });
    expect(context).toMatchObject({ maxTokens: 200_000 });
    expect(rewind).toMatchObject({ canRewind: false });
    expect(model).toEqual({ model: "m" });
  });

  it("tells what the CLI refuses, and goes on", async () => {
    const session = await open("hello");
    const error = await expectFault(session.control({ subtype: "no_such_request" }), "refused");
    expect(error.fault.request).toBe("no_such_request");
    await session.setModel("other");
    await session.setPermissionMode("plan");
    expect(session.state.permissionMode).toBe("plan");
    expect((await session.sendAndAwait("hi")).result).toBe("You said: hi");
    expect(session.state.model).toBe("other");
  });

  it("stops a background task, which then begins no turn", async () => {
    const session = await open("agent");
    const started = message(session, ({ subtype }) => subtype === "task_started");
    await session.sendAndAwait("background sleep 60");
    const stopped = message(session, ({ status }) => status === "stopped");
    await session.stopTask(String((await started)["task_id"]));
    await stopped;
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
    expect(session.state.backgroundResults).toBe(0);
  });
});

describe("leaving the events", () => {
  it("L8 is no interrupt: the agent works on", async () => {
    const session = await open("agent");
    const waiting = session.sendAndAwait("slow-tool sleep 0.2; echo worked on");
    for await (const message of session.events) if (message.type === "assistant") break;
    expect((await waiting).result).toBe("worked on");
    expect(isRunning(session.pid)).toBe(true);
  });
});
