// Bad input: each ends in the right fault, in time.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findMarked } from "../../src/harness/process-registry.ts";
import { ClaudeCode } from "../../src/live/claude-code.ts";
import { collect, expectFault, fake, isRunning, open, optionsFor, scratch, until } from "./live-lab.ts";

describe("a CLI that cannot be started", () => {
  it("is not-found when the option, the variable or PATH names none", async () => {
    const options = optionsFor("hello");
    const missing = join(options.cwd, "missing");
    const { binary: _, ...unnamed } = options;
    await expectFault(ClaudeCode.session({ ...options, binary: missing }), "not-found");
    const named = { ...unnamed, env: { ...options.env, CLAUDE_CODE_PATH: missing } };
    await expectFault(ClaudeCode.session(named), "not-found");
    const bare = { ...unnamed, env: { ...options.env, CLAUDE_CODE_PATH: undefined, PATH: options.cwd } };
    const error = await expectFault(ClaudeCode.session(bare), "not-found");
    expect(error.fault.looked).toContain(join(options.cwd, "claude"));
  });

  it("is not-found when the file may not be executed", async () => {
    const options = optionsFor("hello");
    const binary = join(options.cwd, "claude");
    writeFileSync(binary, "#!/bin/sh\n");
    await expectFault(ClaudeCode.session({ ...options, binary }), "not-found");
  });

  it("is spawn-failed without its directory, or with a file there", async () => {
    const options = optionsFor("hello");
    const error = await expectFault(
      ClaudeCode.session({ ...options, cwd: `${options.cwd}/none` }),
      "spawn-failed",
    );
    expect(error.message).toContain(`${options.cwd}/none`);
    await expectFault(ClaudeCode.session({ ...options, cwd: fake("hello") }), "spawn-failed");
  });

  it("is spawn-failed when the system refuses to run it", async () => {
    const options = optionsFor("hello");
    const binary = join(options.cwd, "claude");
    writeFileSync(binary, "#!/no/such/interpreter\n");
    chmodSync(binary, 0o755);
    await expectFault(ClaudeCode.session({ ...options, binary }), "spawn-failed");
    await expectFault(ClaudeCode.session({ ...options, model: "nul\0byte" }), "spawn-failed");
    await expectFault(
      ClaudeCode.session({ ...options, systemPrompt: "x".repeat(4_000_000) }),
      "spawn-failed",
    );
  });

  it("is exited, with the end of stderr and without secrets, when it dies before a word", async () => {
    const env = { ANTHROPIC_API_KEY: "not-in-any-known-form" };
    const error = await expectFault(open("dies-at-start", { env }), "exited");
    expect(error.fault).toMatchObject({ code: 7, signal: null });
    const { stderrTail } = error.fault;
    expect(stderrTail).toContain("fatal: cannot start");
    expect(stderrTail.length).toBeLessThanOrEqual(8192);
    for (const secret of ["abcdef1234567890", "SECRETSECRET", "not-in-any-known-form"]) {
      expect(stderrTail).not.toContain(secret);
      expect(error.message).not.toContain(secret);
    }
    expect(error.message).toMatch(/exit code 7: fatal: cannot start$/u);
  });

  it("is exited with words that come after its end", async () => {
    const error = await expectFault(open("late-words.sh"), "exited");
    expect(error.fault).toEqual({ kind: "exited", code: 9, signal: null, stderrTail: "fatal: told late" });
  });

  it("is exited, with the CLI's words, when the session to resume is unknown", async () => {
    const resume = crypto.randomUUID();
    const error = await expectFault(open("hello", { resume }), "exited");
    expect(error.fault).toMatchObject({
      code: 1,
      stderrTail: `No conversation found with session ID: ${resume}`,
    });
  });

  it("is exited when the session id is taken", async () => {
    const options = { sessionId: crypto.randomUUID(), env: { CLAUDE_CONFIG_DIR: scratch() } };
    const first = await open("hello", options);
    await first.sendAndAwait("hi");
    const error = await expectFault(open("hello", options), "exited");
    expect(error.fault.stderrTail).toContain("already in use");
  });

  it("is a timeout when it does not answer, and leaves no process", async () => {
    const before = Date.now();
    const owner = `live.start.${crypto.randomUUID()}_1`;
    const options = { startTimeoutMs: 600, closeTimeoutMs: 500, env: { CLAXEDO_OWNER: owner } };
    const error = await expectFault(open("no-initialize", options), "timeout");
    expect(error.fault.afterMs).toBe(600);
    expect(findMarked({ owner }).processes).toEqual([]);
    expect(Date.now() - before).toBeLessThan(8000);
  });

  it("is refused when it refuses", async () => {
    const error = await expectFault(open("refuses-initialize"), "refused");
    expect(error.fault.request).toBe("initialize");
    expect(error.message).toContain("Not today.");
  });

  it.each([
    ["startTimeoutMs", -1],
    ["controlTimeoutMs", Number.POSITIVE_INFINITY],
    ["closeTimeoutMs", Number.NaN],
    ["eventsBuffer", 0],
    ["eventsBuffer", 1.5],
    ["resume", "latest"],
    ["sessionId", "mine"],
    ["fork", true],
  ])("is not tried with the option %s %s", async (name, value) => {
    const opening = ClaudeCode.session({ ...optionsFor("hello"), [name]: value });
    await expect(opening).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("a CLI that ends", () => {
  it("is exited when it does so unasked, even with 0", async () => {
    const session = await open("ends-unasked");
    const error = await expectFault(session.sendAndAwait("go"), "exited");
    expect(error.fault).toMatchObject({ code: 0, signal: null });
    await expectFault(session.send("again"), "exited");
    await expectFault(session.interrupt(), "exited");
    expect(session.state).toMatchObject({ activity: "ended", end: { code: 0 } });
  });

  it("is exited with its signal", async () => {
    const session = await open("killed");
    const error = await expectFault(session.sendAndAwait("go"), "exited");
    expect(error.fault).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(error.message).toContain("SIGKILL");
    expect(await session.terminated).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  it("is over although what it started holds its output open", async () => {
    const session = await open("output-held");
    await session.sendAndAwait("go");
    expect(await session.terminated).toMatchObject({ code: 4 });
  });

  it("fails everything that still waits, once", async () => {
    const session = await open("no-interrupt");
    await session.send("go");
    const waiting = [
      session.awaitResultAfter(0),
      session.interrupt(),
      session.settledFate(crypto.randomUUID()),
    ];
    const [result, interrupt, unknown] = waiting as [Promise<unknown>, Promise<unknown>, Promise<unknown>];
    await expect(unknown).rejects.toMatchObject({ code: "invalid-input" });
    process.kill(session.pid, "SIGKILL");
    const errors = [await expectFault(result, "exited"), await expectFault(interrupt, "exited")];
    expect(errors[0]).toBe(errors[1]);
  });
});

describe("a CLI that does not listen", () => {
  it("is a protocol fault when it closes its input, and is ended", async () => {
    const session = await open("closes-input", { closeTimeoutMs: 800 });
    const sending = async (): Promise<never> => {
      for (;;) await session.send("x");
    };
    await expectFault(sending(), "protocol");
    expect((await session.terminated).error.fault.kind).toBe("protocol");
    await session.close();
    expect(isRunning(session.pid)).toBe(false);
    await expectFault(session.send("again"), "protocol");
  });

  it("is a timeout when it takes no more of its input, and the session lives", async () => {
    const session = await open("deaf", { controlTimeoutMs: 300, closeTimeoutMs: 800 });
    const big = "x".repeat(4_000_000);
    const error = await expectFault(session.send(big), "timeout");
    expect(error.fault.afterMs).toBe(300);
    expect(session.state.end).toBeUndefined();
    await expectFault(session.interrupt(), "timeout");
    await session.close();
    expect(session.state.end?.error.fault.kind).toBe("closed");
  });

  it("is a protocol fault when it closes its output, and is ended", async () => {
    const session = await open("closes-output", { controlTimeoutMs: 300, closeTimeoutMs: 800 });
    const waiting = session.sendAndAwait("go");
    const error = await expectFault(waiting, "protocol");
    expect(error.message).toContain("closed its output");
    await session.close();
    expect(isRunning(session.pid)).toBe(false);
  });
});

describe("a CLI that writes nonsense", () => {
  it("is read on: lines that are no messages are kept and counted", async () => {
    const session = await open("stray-lines");
    const messages = collect(session);
    expect((await session.sendAndAwait("go")).result).toBe("still here");
    await session.close();
    const stray = messages.filter(({ type }) => type === "unparsed_line");
    expect(stray.map(({ text }) => text)).toEqual([
      "{",
      "[]",
      "null",
      "42",
      '"text"',
      "{}",
      '{"type":7}',
      "\u0000",
      "\ufffd\ufffd",
    ]);
    expect(stray.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(["not JSON", "no message", "not UTF-8"]),
    );
    expect(session.state.unparsedLines).toBe(stray.length);
  });

  it("is read on whatever fields a result has", async () => {
    const session = await open("bare-result");
    const messages = collect(session);
    await session.send("go");
    await until(session, ({ resultsSeen }) => resultsSeen === 3);
    await session.close();
    expect(messages.filter(({ type }) => type === "result")[1]).toMatchObject({ subtype: 7, result: 3 });
  });

  it("is read on through a line of 5 MB", async () => {
    const session = await open("flood");
    const messages = collect(session);
    expect((await session.sendAndAwait("2 5000000")).result).toBe("2");
    const long = messages.filter(({ type }) => type === "flood");
    expect(long.map(({ filling }) => (filling as string).length)).toEqual([5_000_000, 5_000_000]);
  });

  it("takes a line of 5 MB", async () => {
    const session = await open("hello");
    const text = "y".repeat(5_000_000);
    expect((await session.sendAndAwait(text)).result).toBe(`You said: ${text}`);
  });

  it("is read on through 100,000 lines", async () => {
    const session = await open("flood");
    expect((await session.sendAndAwait("100000 10", { timeoutMs: 25_000 })).result).toBe("100000");
  });
});
