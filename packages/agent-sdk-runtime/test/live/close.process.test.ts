// L9 and L10: the end of a session.
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findMarked } from "../../src/harness/process-registry.ts";
import { encodeProjectFolder } from "../../src/live/archive/project-folder.ts";
import { openSession } from "../../src/live/claude-code.ts";
import type { LiveSession } from "../../src/live/live-session.ts";
import { expectFault, isRunning, open, optionsFor, scratch, until } from "./live-lab.ts";

/** The number in a file, once it is there. */
async function pidIn(file: string): Promise<number> {
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n")).toBe(true);
  return Number(readFileSync(file, "utf8"));
}

describe("closing", () => {
  it("L9 ends the process in good order, asking it first", async () => {
    const frames: unknown[] = [];
    const session = await open("hello", {
      tap: (frame) => void frames.push("payload" in frame && frame.payload),
    });
    await session.sendAndAwait("hi");
    await session.close();
    expect(isRunning(session.pid)).toBe(false);
    expect(session.state.end).toMatchObject({ code: 0, signal: null });
    expect(frames).toContainEqual(expect.objectContaining({ request: { subtype: "end_session" } }));
    expect(await session.terminated).toBe(session.state.end);
  });

  it("L9 happens when the scope is left, normally or by an error", async () => {
    const inside = async (fail: boolean): Promise<LiveSession> => {
      await using session = await openSession(optionsFor("hello"));
      if (fail) throw Object.assign(new Error("the scope failed"), { session });
      return session;
    };
    const left = await inside(false);
    const failed = (await inside(true).catch((error: unknown) => error)) as { readonly session: LiveSession };
    for (const session of [left, failed.session]) {
      expect(session.state.activity).toBe("ended");
      expect(isRunning(session.pid)).toBe(false);
    }
  });

  it("L9 stops a running turn at once, and its result is counted", async () => {
    const session = await open("agent", { closeTimeoutMs: 60_000 });
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await session.close();
    expect(session.state).toMatchObject({ resultsSeen: 1, end: { code: 1, signal: null } });
  });

  it("L9 is idempotent: twice at once, and again after the end", async () => {
    const session = await open("hello");
    await Promise.all([session.close(), session.close(), session[Symbol.asyncDispose]()]);
    await session.close();
    session.closeDetached();
    expect(session.state.end?.error.fault.kind).toBe("closed");
  });

  it("L9 ends a CLI that does not want to, within the limit", async () => {
    const session = await open("stubborn", { closeTimeoutMs: 1000 });
    await session.sendAndAwait("go");
    const began = Date.now();
    await session.close();
    expect(Date.now() - began).toBeLessThan(4000);
    expect(session.state.end).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(isRunning(session.pid)).toBe(false);
  });

  it("L9 kills tools, which run in sessions of their own", async () => {
    const folder = scratch();
    const session = await open("stubborn-tool", { closeTimeoutMs: 1000 });
    await session.send(`echo $$ > ${folder}/pid; exec sleep 60`);
    const tool = await pidIn(`${folder}/pid`);
    const group = readFileSync(`/proc/${tool}/stat`, "utf8").split(") ")[1]?.split(" ").slice(2, 4);
    expect(group).toEqual([String(tool), String(tool)]);
    await session.close();
    expect(isRunning(tool)).toBe(false);
    expect(isRunning(session.pid)).toBe(false);
  });

  it("L9 kills background commands", async () => {
    const folder = scratch();
    const session = await open("agent");
    await session.sendAndAwait(`background setsid sh -c 'echo $$ > ${folder}/pid; exec sleep 60'`);
    const tool = await pidIn(`${folder}/pid`);
    await session.close();
    expect(isRunning(tool)).toBe(false);
  });

  it("L9 kills what took off its marks", async () => {
    const folder = scratch();
    const session = await open("leaves-tool");
    await session.sendAndAwait(`exec env -i sh -c 'echo $$ > ${folder}/pid; exec sleep 60'`);
    const tool = await pidIn(`${folder}/pid`);
    await session.close();
    expect(session.state.end?.code).toBe(0);
    expect(isRunning(tool)).toBe(false);
  });

  it("L9 kills nothing of another session", async () => {
    const folder = scratch();
    const owner = `store.host.${crypto.randomUUID()}_1`;
    const one = await open("agent", { env: { CLAXEDO_OWNER: owner } });
    const other = await open("agent", { env: { CLAXEDO_OWNER: `${owner}0` } });
    await other.sendAndAwait(`background echo $$ > ${folder}/pid; exec sleep 60`);
    const tool = await pidIn(`${folder}/pid`);
    await one.close();
    expect([isRunning(tool), isRunning(other.pid)]).toEqual([true, true]);
  });

  it("L9 kills what a CLI leaves that ends by itself", async () => {
    const session = await open("output-held");
    const left = Number((await session.sendAndAwait("go")).result);
    await session.terminated;
    await session.close();
    expect(isRunning(left)).toBe(false);
  });

  it("L9 refuses what is sent afterwards, and what is still open", async () => {
    const session = await open("never-ending");
    await session.send("work");
    const open1 = [session.awaitResultAfter(5), session.control({ subtype: "interrupt" })];
    const [result] = open1;
    const closed = session.close();
    await expectFault(session.send("too late"), "closed");
    await expectFault(session.interrupt(), "closed");
    await closed;
    await expectFault(result ?? expect.fail(), "closed");
    await Promise.allSettled(open1);
    await expectFault(session.sendAndAwait("much too late"), "closed");
  });

  it("L9 ends a CLI that is starting, and starts none that is called off", async () => {
    const owner = `live.start.${crypto.randomUUID()}_1`;
    const options = optionsFor("no-initialize", { env: { CLAXEDO_OWNER: owner } });
    const controller = new AbortController();
    const opening = openSession(options, controller.signal);
    await vi.waitUntil(() => findMarked({ owner }).processes.length > 0, { timeout: 10_000, interval: 5 });
    controller.abort();
    await expectFault(opening, "closed");
    expect(findMarked({ owner }).processes).toEqual([]);
    await expectFault(openSession(options, controller.signal), "closed");
  });

  it("L9 leaves nobody who listens to this process", async () => {
    const events = ["exit", "SIGTERM", "SIGINT", "beforeExit", "uncaughtException", "unhandledRejection"];
    const count = (): number[] => events.map((name) => process.listenerCount(name));
    const before = count();
    for (let n = 0; n < 5; n++) {
      const session = await open("hello");
      await session.sendAndAwait("hi");
      await session.close();
    }
    expect(count()).toEqual(before);
  });
});

describe("closeDetached", () => {
  it("L10 returns at once, and the session closes", async () => {
    const session = await open("stubborn", { closeTimeoutMs: 600 });
    await session.sendAndAwait("go");
    expect(session.closeDetached()).toBeUndefined();
    expect(isRunning(session.pid)).toBe(true);
    await session.terminated;
    expect(isRunning(session.pid)).toBe(false);
  });
});

describe("a session with an archive", () => {
  /** What the archive holds, by relative path. */
  function filesIn(folder: string): readonly string[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /[^/.]\.\w+$/u.test(name),
    );
  }

  it("L10 has the whole transcript mirrored when closing is done, subagents and tool results included", async () => {
    const [root, configDir] = [scratch(), scratch()];
    const directory = join(root, "archive");
    const sessionId = crypto.randomUUID();
    const session = await open("agent", {
      sessionId,
      archive: { directory },
      env: { CLAUDE_CONFIG_DIR: configDir },
    });
    await session.sendAndAwait("answer one");
    const [main = ""] = filesIn(configDir);
    const tree = join(configDir, main.replace(".jsonl", ""));
    mkdirSync(join(tree, "subagents"), { recursive: true });
    mkdirSync(join(tree, "tool-results"));
    writeFileSync(join(tree, "subagents/agent-1.jsonl"), '{"isSidechain":true}\n');
    writeFileSync(join(tree, "tool-results/big.txt"), "x".repeat(100_000));
    await session.sendAndAwait("answer two");
    await session.close();
    expect(filesIn(directory).toSorted()).toEqual([
      `${sessionId}.jsonl`,
      `${sessionId}/subagents/agent-1.jsonl`,
      `${sessionId}/tool-results/big.txt`,
    ]);
    const copy = readFileSync(join(directory, `${sessionId}.jsonl`), "utf8");
    expect(copy).toBe(readFileSync(join(configDir, main), "utf8"));
    expect(copy.trim().split("\n")).toHaveLength(4);
  });

  it("L10 has it mirrored under every name that the session went by", async () => {
    const directory = join(scratch(), "archive");
    const session = await open("hello", { archive: { directory } });
    await session.sendAndAwait("one");
    const { sessionId: first } = await session.info();
    await session.command("/clear");
    await session.sendAndAwait("two");
    await until(session, ({ resultsSeen }) => resultsSeen === 3);
    await session.close();
    expect(filesIn(directory).toSorted()).toEqual(
      [`${first}.jsonl`, `${session.state.sessionId}.jsonl`].toSorted(),
    );
    expect(session.state.archive?.problems).toEqual([]);
  });

  it("L10 gives the mirror up at the limit, however slow it is", async () => {
    const [root, configDir] = [scratch(), scratch()];
    const options = optionsFor("hello");
    const sessionId = crypto.randomUUID();
    const tree = join(configDir, "projects", encodeProjectFolder(options.cwd), sessionId, "tool-results");
    mkdirSync(tree, { recursive: true });
    const env = { CLAUDE_CONFIG_DIR: configDir };
    const archive = { directory: join(root, "archive") };
    const session = await openSession({ ...options, sessionId, archive, env, closeTimeoutMs: 300 });
    await session.sendAndAwait("hi");
    for (let n = 0; n < 8; n++) {
      writeFileSync(join(tree, `${n}.txt`), "");
      truncateSync(join(tree, `${n}.txt`), 250_000_000);
    }
    const began = Date.now();
    await session.close();
    expect(Date.now() - began).toBeLessThan(3000);
    expect(filesIn(archive.directory).length).toBeLessThan(9);
    expect(session.state.archive?.problems).not.toEqual([]);
  });

  it("L10 has it mirrored as well when the process ends by itself, or is killed", async () => {
    for (const program of ["ends-unasked", "killed"]) {
      const directory = join(scratch(), "archive");
      const session = await open(program, { archive: { directory } });
      await session.send("go");
      await session.terminated;
      await session.close();
      expect(filesIn(directory)).toEqual([`${session.state.sessionId}.jsonl`]);
    }
  });
});
