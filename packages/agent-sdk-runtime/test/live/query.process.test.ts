// One process, one prompt, one result.
import { describe, expect, it } from "vitest";
import { ClaudeCode } from "../../src/live/claude-code.ts";
import type { ClaudeResult, LiveMessage } from "../../src/live/messages.ts";
import { expectFault, isRunning, optionsFor } from "./live-lab.ts";

/** Every message, and what the loop returns. */
async function all(
  query: AsyncGenerator<LiveMessage, ClaudeResult>,
): Promise<{ readonly messages: readonly LiveMessage[]; readonly result: ClaudeResult }> {
  const messages: LiveMessage[] = [];
  for (;;) {
    const next = await query.next();
    if (next.done === true) return { messages, result: next.value };
    messages.push(next.value);
  }
}

describe("query", () => {
  it("gives every message in order, none lost, the result last", async () => {
    const { messages, result } = await all(ClaudeCode.query("3000 1000", optionsFor("flood")));
    const flood = messages.filter(({ type }) => type === "flood");
    expect(flood.map(({ index }) => index)).toEqual(Array.from({ length: 3000 }, (_, n) => n));
    expect(messages.at(-1)).toMatchObject({ type: "result", result: "3000" });
    expect(result.result).toBe("3000");
  });

  it("waits for a reader that is slow, and loses nothing", async () => {
    let index = 0;
    for await (const message of ClaudeCode.query("3000 2000", optionsFor("flood"))) {
      if (message.type !== "flood") continue;
      expect(message["index"]).toBe(index++);
      if (index % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(index).toBe(3000);
  });

  it("keeps lines that are no messages", async () => {
    const { messages, result } = await all(ClaudeCode.query("garbage", optionsFor("agent")));
    expect(messages).toContainEqual(
      expect.objectContaining({ type: "unparsed_line", text: "this is no JSON" }),
    );
    expect(result.is_error).toBe(false);
  });

  it("goes on past the result of a background task", async () => {
    const prompt = "background true\nslow-tool sleep 0.3\nanswer mine";
    const { result } = await all(ClaudeCode.query(prompt, optionsFor("agent")));
    expect(result.result).toBe("mine");
  });

  it("ends the process when its reader leaves", async () => {
    let pid = 0;
    for await (const message of ClaudeCode.query("pid\nwork", optionsFor("agent"))) {
      if (message.type !== "assistant") continue;
      pid = Number(
        (message as unknown as { message: { content: { text: string }[] } }).message.content[0]?.text,
      );
      break;
    }
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });

  it("fails with the error of a process that ends first", async () => {
    const query = ClaudeCode.query("answer x\ndie", optionsFor("agent"));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of query) seen.push(type);
    })();
    const error = await expectFault(reading, "exited");
    expect(error.fault.code).toBe(3);
    expect(seen).toContain("assistant");
  });

  it("is ended by its signal: before the start, during it, and after it", async () => {
    await expectFault(
      all(ClaudeCode.query("work", { ...optionsFor("agent"), signal: AbortSignal.abort() })),
      "closed",
    );
    const starting = { ...optionsFor("no-initialize"), signal: AbortSignal.timeout(300) };
    await expectFault(all(ClaudeCode.query("work", starting)), "closed");
    const controller = new AbortController();
    const query = ClaudeCode.query("work", { ...optionsFor("agent"), signal: controller.signal });
    const reading = (async () => {
      for await (const { type } of query) if (type === "assistant") controller.abort();
    })();
    await expectFault(reading, "closed");
  });
});

describe("ask", () => {
  it("gives the result", async () => {
    const result = await ClaudeCode.ask("answer yes", optionsFor("agent"));
    expect(result).toMatchObject({ type: "result", subtype: "success", result: "yes" });
  });

  it("gives a result that is an error, and fails when there is none", async () => {
    expect((await ClaudeCode.ask("fail x", optionsFor("agent"))).is_error).toBe(true);
    await expectFault(ClaudeCode.ask("die", optionsFor("agent")), "exited");
    await expectFault(
      ClaudeCode.ask("x", { ...optionsFor("hello"), binary: "/no/such/program" }),
      "not-found",
    );
  });

  it("is ended by its signal", async () => {
    const options = { ...optionsFor("never-ending"), signal: AbortSignal.timeout(500) };
    const asked = await ClaudeCode.ask("x", options).catch((error: unknown) => error);
    expect(asked).toMatchObject({ fault: { kind: "closed" } });
  });
});
