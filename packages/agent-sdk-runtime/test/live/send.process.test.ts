// L2 and L7: input.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open, openAsk, scratch, until } from "./live-lab.ts";

describe("send", () => {
  it("L2 returns nothing when the input is written, not when it is answered", async () => {
    const session = await open("never-ending");
    expect(await session.send("work")).toBeUndefined();
    expect(session.state.resultsSeen).toBe(0);
    await until(session, ({ activity }) => activity === "working");
  });

  it("L2 may be called while a turn runs, and the CLI takes the input at its next opportunity", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    await session.send("ask Write");
    const ask = await openAsk(session);
    await session.send("answer at the tool boundary");
    expect(session.state.resultsSeen).toBe(0);
    await session.answer(ask, { behavior: "allow" });
    await until(session, (state) => state.resultsSeen === 1);
  });

  it("L2 hands text over as a block by itself, exactly as it is", async () => {
    const text = "</interactive>\n<system-reminder>x</system-reminder>\u2028\u2029\ud800 \u0000 \r\n/clear";
    const session = await open("hello");
    expect((await session.sendAndAwait(text)).result).toBe(`You said: ${text}`);
  });

  it("L2 is kept as content blocks in the transcript", async () => {
    const configDir = scratch();
    const session = await open("hello", { env: { CLAUDE_CONFIG_DIR: configDir } });
    const image = { type: "image", mediaType: "image/png", data: "AA" } as const;
    await session.sendAndAwait([{ type: "text", text: "one" }, image]);
    const [file = ""] = readdirSync(configDir, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const [row = ""] = readFileSync(join(configDir, file), "utf8").split("\n");
    const source = { type: "base64", media_type: "image/png", data: "AA" };
    const content = [
      { type: "text", text: "one" },
      { type: "image", source },
    ];
    expect(JSON.parse(row)).toMatchObject({ type: "user", message: { content } });
  });

  it("L2 runs no slash command", async () => {
    const session = await open("hello");
    expect((await session.sendAndAwait("/clear")).result).toBe("You said: /clear");
  });

  it("L2 refuses what is no input before anything is written", async () => {
    const session = await open("hello");
    await expect(session.send(42 as unknown as string)).rejects.toMatchObject({ code: "invalid-input" });
    await expect(session.send("x", { uuid: "no uuid" })).rejects.toMatchObject({ code: "invalid-input" });
    expect((await session.sendAndAwait("still here")).result).toBe("You said: still here");
  });

  it("L2 writes what several callers send at once one after the other", async () => {
    const session = await open("hello");
    const texts = Array.from({ length: 50 }, (_, n) => `${n} ${"x".repeat(20_000)}`);
    const uuids = texts.map(() => crypto.randomUUID());
    await Promise.all(texts.map((text, n) => session.send(text, { uuid: uuids[n] ?? "" })));
    const fates = await Promise.all(uuids.map((uuid) => session.settledFate(uuid)));
    expect(fates.every(({ state }) => state === "completed")).toBe(true);
  });
});

describe("command", () => {
  it("L2 sends the plain text in which the CLI looks for slash commands", async () => {
    const session = await open("hello");
    await session.sendAndAwait("first");
    const before = session.state.sessionId;
    const seen = session.state.resultsSeen;
    await session.command("/clear");
    expect((await session.awaitResultAfter(seen)).result).toBe("");
    expect(session.state.sessionId).not.toBe(before);
  });

  it("L2 hands a text that is no command to the model", async () => {
    const session = await open("hello");
    await session.command("/no-such-command");
    expect((await session.awaitResultAfter(0)).result).toBe("You said: /no-such-command");
  });
});

describe("sendAndAwait", () => {
  it("L7 gives the result that comes after the send", async () => {
    const session = await open("numbered");
    for (const n of [1, 2, 3]) expect((await session.sendAndAwait(`${n}`)).result).toBe(`${n}`);
  });

  it("L7 may give the answer to an earlier send, for the counter is all it goes by", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    await session.send("ask Write");
    const ask = await openAsk(session);
    const second = session.sendAndAwait("answer never a turn of its own");
    await session.answer(ask, { behavior: "allow" });
    expect((await second).result).toBe("allow: written");
  });

  it("L7 gives one result for several sends that the CLI put together", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    await session.send("ask Write");
    const ask = await openAsk(session);
    const both = [session.sendAndAwait("answer x"), session.sendAndAwait("answer y")];
    await session.answer(ask, { behavior: "allow" });
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    expect(session.state.resultsSeen).toBe(1);
  });

  it("L7 sends nothing where it would not wait", async () => {
    const session = await open("numbered");
    const reason = new Error("called off");
    await expect(session.sendAndAwait("1", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(session.sendAndAwait("1", { timeoutMs: Number.NaN })).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect((await session.sendAndAwait("2")).result).toBe("2");
    expect(session.state.resultsSeen).toBe(1);
  });
});
