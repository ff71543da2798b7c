// Failures of such software elsewhere, each by the id of its case.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { findMarked } from "../../src/harness/process-registry.ts";
import { ClaudeCode } from "../../src/live/claude-code.ts";
import { isSuccess } from "../../src/live/messages.ts";
import { encodeProjectFolder } from "../../src/live/archive/project-folder.ts";
import { collect, expectFault, isRunning, open, openAsk, optionsFor, scratch, until } from "./live-lab.ts";

describe("results", () => {
  it("B012 of an interrupt say that it was one, and are no failure of the session", async () => {
    const session = await open("agent");
    await session.send("slow-tool sleep 60");
    await until(session, ({ activity }) => activity === "working");
    await session.interrupt();
    const result = await session.awaitResultAfter(0);
    expect(result).toMatchObject({ subtype: "error_during_execution", is_error: true });
    expect(result.terminal_reason).toMatch(/^aborted/u);
    expect(isSuccess(result)).toBe(false);
    expect(session.state.end).toBeUndefined();
  });

  it("B017 of a task that ended in an earlier life end no turn: a send is followed by its uuid", async () => {
    const session = await open("agent");
    await session.sendAndAwait("background sleep 0.1");
    const uuid = crypto.randomUUID();
    await session.send("slow-tool sleep 0.3; echo mine", { uuid });
    const { result = 0 } = await session.settledFate(uuid);
    expect(session.state.resultsSeen).toBe(result);
    expect(session.state.lastResult?.result).toBe("mine");
  });

  it("B020 that never come end the wait when the process ends", async () => {
    const session = await open("ends-unasked");
    const messages = collect(session);
    const error = await expectFault(session.sendAndAwait("go"), "exited");
    expect(error.fault.code).toBe(0);
    expect(messages.map(({ type }) => type)).toContain("system");
    expect(session.state.activity).toBe("ended");
  });

  it("B021 are the end of a question, although the process lives on", async () => {
    const result = await ClaudeCode.ask("go", { ...optionsFor("stubborn"), closeTimeoutMs: 800 });
    const pid = Number((result as unknown as { readonly result: string }).result);
    expect(isRunning(pid)).toBe(false);
  });

  it("B113 and counters are whole although a slow reader lost messages", async () => {
    const session = await open("flood", { eventsBuffer: 20 });
    const slow = session.events[Symbol.asyncIterator]();
    for (const turn of [1, 2, 3]) {
      const result = await session.sendAndAwait("5000 10");
      expect(result["result_index"]).toBe(turn - 1);
      expect(session.state.resultsSeen).toBe(turn);
    }
    expect(session.state.droppedEvents).toBe(3 * 5003 - 20);
    await slow.return?.();
  });
});

describe("input", () => {
  it("B040 that is given while the CLI still starts is answered once", async () => {
    const session = await open("slow-start");
    const uuid = crypto.randomUUID();
    await session.send("hello", { uuid });
    expect(await session.settledFate(uuid)).toEqual({ state: "completed", result: 1 });
    await session.close();
    expect(session.state.resultsSeen).toBe(1);
  });

  it("B068 that is interrupted in the same instant is stopped", async () => {
    const session = await open("agent");
    const uuid = crypto.randomUUID();
    await Promise.all([session.send("work", { uuid }), session.interrupt()]);
    expect((await session.settledFate(uuid)).state).toBe("cancelled");
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
  });

  it("B066 that is interrupted twice is stopped once, and the second call settles", async () => {
    const session = await open("agent");
    await session.send("work");
    await until(session, ({ activity }) => activity === "working");
    await Promise.all([session.interrupt(), session.interrupt()]);
    await session.awaitResultAfter(0);
    await session.interrupt();
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
    expect(session.state.resultsSeen).toBe(2);
  });

  it("B141 that looks like a flag is text, and no value becomes one", async () => {
    const session = await open("agent", { model: "--add-dir=/", permissionMode: "-p" });
    expect((await session.sendAndAwait("--dangerously-skip-permissions")).result).toBe(
      "--dangerously-skip-permissions",
    );
    const args = JSON.parse((await session.sendAndAwait("args")).result ?? "") as string[];
    expect(args.every((arg) => /^--[a-z-]+(?:=|$)/u.test(arg))).toBe(true);
    expect(args).toEqual(expect.arrayContaining(["--model=--add-dir=/", "--permission-mode=-p"]));
    await expect(open("agent", { resume: "--fork-session" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expectFault(open("agent", { cwd: "-x" }), "spawn-failed");
  });

  it("B157 that waits behind a stopped turn is kept, and each has its fate", async () => {
    const session = await open("agent");
    const uuids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()] as const;
    await session.send("work", { uuid: uuids[0] });
    await until(session, ({ activity }) => activity === "working");
    await session.send("answer two", { uuid: uuids[1] });
    await session.send("answer three", { uuid: uuids[2] });
    await session.interrupt();
    const fates = await Promise.all(uuids.map((uuid) => session.settledFate(uuid)));
    expect(fates.map(({ state }) => state)).toEqual(["cancelled", "completed", "completed"]);
  });
});

describe("approvals", () => {
  it("B053 are asked and answered while input stays open, also for a single question", async () => {
    const sent: unknown[] = [];
    const hooks = { PreToolUse: [{ callback: () => ({}) }] };
    const options = {
      ...optionsFor("agent"),
      hooks,
      canUseTool: ({ toolName }: { readonly toolName: string }) => {
        sent.push(toolName);
        return { behavior: "allow" } as const;
      },
    };
    const result = await ClaudeCode.ask("ask Write\nask Edit", options);
    expect(sent).toEqual(["Write", "Edit"]);
    expect(result.result).toBe("allow: written");
  });

  it("B058 of one session release nothing in another", async () => {
    const [one, other] = await Promise.all([
      open("agent", { canUseTool: "manual" }),
      open("agent", { canUseTool: "manual" }),
    ]);
    await Promise.all([one.send("ask Write"), other.send("ask Write")]);
    const asks = await Promise.all([openAsk(one), openAsk(other)]);
    await expect(one.answer(asks[1], { behavior: "allow" })).rejects.toMatchObject({ code: "invalid-input" });
    await one.answer(asks[0], { behavior: "allow" });
    await one.awaitResultAfter(0);
    expect(other.state.asks).toHaveLength(1);
    expect(other.state.resultsSeen).toBe(0);
  });

  it("B060 that come late or twice are errors of the caller, and the session goes on", async () => {
    const sent: string[] = [];
    const tap = (frame: object): void => void sent.push(JSON.stringify(frame));
    const session = await open("agent", { canUseTool: "manual", tap });
    await session.send("ask Write");
    const ask = await openAsk(session);
    await session.interrupt();
    for (const _ of [1, 2])
      await expect(session.answer(ask, { behavior: "allow" })).rejects.toMatchObject({
        code: "invalid-input",
      });
    await session.awaitResultAfter(0);
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
    expect(sent.some((frame) => frame.includes('"behavior"'))).toBe(false);
  });

  it("B156 are all asked and answered after many turns, with a background task among them", async () => {
    const session = await open("agent", { canUseTool: () => ({ behavior: "allow" }) });
    await session.sendAndAwait("background true");
    for (let turn = 0; turn < 20; turn++)
      expect((await session.sendAndAwait("ask Write")).result).toBe("allow: written");
    expect(session.state.asks).toEqual([]);
  });
});

describe("the process", () => {
  it("B042 may write a line of 12 MB", async () => {
    const session = await open("flood");
    expect((await session.sendAndAwait("1 12000000")).result).toBe("1");
    expect((await session.sendAndAwait("1 1")).result).toBe("1");
    expect(session.state.unparsedLines).toBe(0);
  });

  it("B045 that dies is reported at once, with the words it died with", async () => {
    const before = Date.now();
    const error = await expectFault(open("dies-at-start"), "exited");
    expect(error.message).toContain("fatal: cannot start");
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  it("B049 leaves nothing, however stubborn it is: 30 sessions, each with a tool", async () => {
    const mark = `live.b049.${crypto.randomUUID()}`;
    const open30 = Array.from({ length: 30 }, async (_, n) => {
      const env = { CLAXEDO_OWNER: `${mark}_${n}` };
      return open("stubborn.sh", { closeTimeoutMs: 1500, env });
    });
    const sessions = await Promise.all(open30);
    await vi.waitUntil(() => findMarked({ owner: mark }).processes.length >= 90, { timeout: 10_000 });
    await Promise.all(sessions.flatMap((session) => [session.close(), session.close()]));
    expect(findMarked({ owner: mark }).processes).toEqual([]);
    expect(sessions.every(({ pid }) => !isRunning(pid))).toBe(true);
  });

  it("B052 may be one of many, and no listeners pile up", async () => {
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", warn);
    const count = (): number =>
      process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const before = count();
    const sessions = await Promise.all(
      Array.from({ length: 40 }, () => open("stubborn.sh", { closeTimeoutMs: 1500 })),
    );
    await Promise.all(sessions.map((session) => session.close()));
    process.off("warning", warn);
    expect(count()).toBe(before - 1);
    expect(warnings).toEqual([]);
  });

  it("B150 sees nothing of another session's environment, and this process's stays as it is", async () => {
    const before = { ...process.env };
    const session = await open("agent", { env: { RESUME_ID: "X", TOKEN: "tx" } });
    const other = await open("agent");
    expect((await session.sendAndAwait("env RESUME_ID")).result).toBe("X");
    expect((await other.sendAndAwait("env RESUME_ID")).result).toBe("undefined");
    expect((await other.sendAndAwait("env TOKEN")).result).toBe("undefined");
    expect(process.env).toEqual(before);
  });

  it("B155 that is told to end in a tool tells the tool's end, and the session its own", async () => {
    const session = await open("agent");
    const messages = collect(session);
    const waiting = session.sendAndAwait("slow-tool sleep 60");
    await vi.waitUntil(() => messages.some(({ type }) => type === "assistant"), { timeout: 10_000 });
    process.kill(session.pid, "SIGTERM");
    const error = await expectFault(waiting, "exited");
    expect(error.fault).toMatchObject({ code: 143 });
    expect(JSON.stringify(messages.at(-1))).toContain("Exit code 137");
  });

  it("B161 leaves no memory, timers or handles behind, and an idle session holds no transcript", async () => {
    const collectGarbage = await garbageCollector();
    const heap = (): number => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((name) => /Process|Pipe|Timeout/u.test(name)).length;
    const work = async (turns: number): Promise<void> => {
      const session = await open("flood");
      for (let turn = 0; turn < turns; turn++) await session.sendAndAwait("20 100000");
      await session.close();
    };
    const resources = handles();
    await work(1);
    const memory = heap();
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 4 }, () => work(3)));
    await vi.waitUntil(() => handles() <= resources, { timeout: 10_000 });
    // Garbage goes in several steps.
    const checkSoon = (test: () => boolean): Promise<boolean> =>
      vi.waitUntil(test, { timeout: 10_000, interval: 100 });
    await checkSoon(() => heap() - memory < 20_000_000);
    const idle = await open("flood");
    const before = heap();
    await idle.sendAndAwait("200 100000");
    await checkSoon(() => heap() - before < 5_000_000);
  });
});

describe("B117 closing with an archive", () => {
  const sessionId = crypto.randomUUID();
  interface Scene {
    readonly configDir: string;
    readonly file: string;
    readonly archive: string;
  }
  const odd: readonly (readonly [what: string, spoil: (scene: Scene) => void, copied: boolean])[] = [
    ["is never made", () => undefined, false],
    ["is a folder", ({ file }) => mkdirSync(file), false],
    [
      "is a link out of the configuration",
      ({ file, configDir }) => {
        writeFileSync(join(configDir, "../outside.txt"), "not for the archive\n");
        symlinkSync(join(configDir, "../outside.txt"), file);
      },
      false,
    ],
    [
      "is 200 MB",
      ({ file }) => {
        writeFileSync(file, '{"type":"user"}\n');
        truncateSync(file, 200_000_000);
      },
      true,
    ],
  ];

  it.each(odd)("settles in time, without fail, when the transcript %s", async (_, spoil, copied) => {
    const configDir = join(scratch(), "config");
    const archive = join(scratch(), "archive");
    const options = optionsFor("silent.sh", { closeTimeoutMs: 20_000 });
    const file = join(configDir, "projects", encodeProjectFolder(options.cwd), `${sessionId}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    spoil({ configDir, file, archive });
    const session = await open("silent.sh", {
      ...options,
      sessionId,
      archive: { directory: archive },
      env: { CLAUDE_CONFIG_DIR: configDir },
    });
    const began = Date.now();
    await session.close();
    expect(Date.now() - began).toBeLessThan(25_000);
    const copies = existsSync(archive) ? readdirSync(archive, { recursive: true, encoding: "utf8" }) : [];
    expect(copies.some((name) => name.endsWith(".jsonl"))).toBe(copied);
    for (const name of copies) expect(readText(join(archive, name))).not.toContain("not for the archive");
  });
});

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** The engine's, which it only hands out when asked. */
async function garbageCollector(): Promise<() => void> {
  v8.setFlagsFromString("--expose-gc");
  const collector = vm.runInNewContext("gc") as () => void;
  return () => collector();
}
