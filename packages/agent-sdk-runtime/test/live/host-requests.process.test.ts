// What the CLI asks of its host: tools, hooks, MCP messages.
import { describe, expect, it } from "vitest";
import type { LiveSession } from "../../src/live/live-session.ts";
import type { CanUseTool, LiveSessionOptions, ToolAnswer, ToolRequest } from "../../src/live/options.ts";
import { open, openAsk, until } from "./live-lab.ts";

interface Answer {
  readonly subtype: string;
  readonly error?: string;
  readonly response?: Readonly<Record<string, unknown>>;
}

/** What a host answers to a request of the CLI. */
async function answerTo(request: object, options: Partial<LiveSessionOptions>): Promise<Answer> {
  return askOf(await open("calls-host", options), request);
}

async function askOf(session: LiveSession, request: object): Promise<Answer> {
  const { result } = await session.sendAndAwait(JSON.stringify(request));
  return JSON.parse(result ?? "") as Answer;
}

const TOOL = {
  subtype: "can_use_tool",
  tool_name: "Write",
  input: { file_path: "/w/a" },
  tool_use_id: "toolu_1",
  permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
};

describe("a tool that asks", () => {
  it("is decided by the callback, which sees all of the request", async () => {
    const seen: ToolRequest[] = [];
    const canUseTool: CanUseTool = (request) => {
      seen.push(request);
      return { behavior: "allow", updatedInput: { file_path: "/w/b" } };
    };
    const { response } = await answerTo(TOOL, { canUseTool });
    expect(response).toEqual({ behavior: "allow", updatedInput: { file_path: "/w/b" } });
    expect(seen).toMatchObject([
      {
        toolName: "Write",
        input: TOOL.input,
        toolUseId: "toolu_1",
        suggestions: TOOL.permission_suggestions,
      },
    ]);
    expect(seen[0]?.request).toEqual(TOOL);
    expect(seen[0]?.signal.aborted).toBe(false);
  });

  it("is denied in words where nobody decides", async () => {
    const answer = await answerTo(TOOL, {});
    expect(answer).toMatchObject({ subtype: "error", error: expect.stringContaining("can_use_tool") });
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const odd: readonly (readonly [how: string, callback: () => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("no idea");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no idea"))],
    ["throws what is no error", () => AbortSignal.abort("no idea").throwIfAborted()],
    ["answers nothing", () => undefined],
    ["answers null", () => null],
    ["answers a text", () => "allow"],
    ["answers maybe", () => ({ behavior: "maybe" })],
    ["denies without a message", () => ({ behavior: "deny" })],
    ["allows with a text for an input", () => ({ behavior: "allow", updatedInput: "rm" })],
    ["allows with an input that goes in circles", () => ({ behavior: "allow", updatedInput: circular })],
    ["allows with an input that is no JSON", () => ({ behavior: "allow", updatedInput: { big: 1n } })],
  ];
  it.each(odd)("B147 is denied, and answered, when the callback %s", async (_, callback) => {
    const answer = await answerTo(TOOL, { canUseTool: callback as CanUseTool });
    expect(answer.response?.["behavior"]).not.toBe("allow");
    const words = answer.error ?? answer.response?.["message"];
    expect(words).toEqual(expect.stringMatching(/\w+ \w+/u));
  });

  it("B147 stays open while the callback does not answer, until the turn is interrupted", async () => {
    let signal: AbortSignal | undefined;
    const canUseTool: CanUseTool = (request) => {
      ({ signal } = request);
      return new Promise<ToolAnswer>(() => undefined);
    };
    const session = await open("agent", { canUseTool });
    await session.send("ask Write");
    await openAsk(session);
    await expect.poll(() => signal).toBeDefined();
    await session.interrupt();
    expect(signal?.aborted).toBe(true);
    expect(session.state.asks).toEqual([]);
    expect((await session.awaitResultAfter(0)).is_error).toBe(true);
    expect((await session.sendAndAwait("answer alive")).result).toBe("alive");
  });

  it("is not answered any more once the CLI has withdrawn the request", async () => {
    const frames: string[] = [];
    let answer: (answer: ToolAnswer) => void = () => undefined;
    const session = await open("agent", {
      canUseTool: () => new Promise((resolve) => (answer = resolve)),
      tap: (frame) => void frames.push(JSON.stringify(frame)),
    });
    await session.send("ask Write");
    await openAsk(session);
    await session.interrupt();
    answer({ behavior: "allow" });
    await session.awaitResultAfter(0);
    await session.sendAndAwait("answer alive");
    expect(frames.filter((frame) => frame.includes('"sent"') && frame.includes('"allow"'))).toEqual([]);
  });

  it("is told to the callback when the session ends", async () => {
    let signal: AbortSignal | undefined;
    const canUseTool: CanUseTool = (request) => {
      ({ signal } = request);
      return new Promise(() => undefined);
    };
    const session = await open("agent", { canUseTool });
    await session.send("ask Write");
    await expect.poll(() => signal).toBeDefined();
    await session.close();
    expect(signal?.aborted).toBe(true);
  });

  it("asks one callback for each request, also at the same time", async () => {
    const session = await open("calls-host", {
      canUseTool: async ({ toolName }) => {
        // The last is answered first.
        await new Promise((resolve) => setTimeout(resolve, 30 * (67 - toolName.charCodeAt(0))));
        return { behavior: "deny", message: toolName };
      },
    });
    const names = ["A", "B", "C"];
    const { result } = await session.sendAndAwait(
      JSON.stringify(names.map((name) => ({ ...TOOL, tool_name: name }))),
    );
    const answers = JSON.parse(result ?? "") as readonly Answer[];
    expect(answers.map(({ response }) => response)).toEqual(
      names.map((message) => ({ behavior: "deny", message })),
    );
  });
});

describe("a tool that asks by hand", () => {
  it("waits in the state until it is answered", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const waiting = session.sendAndAwait("ask Write");
    const ask = await openAsk(session);
    expect(ask).toMatchObject({
      type: "control_request",
      request: { subtype: "can_use_tool", tool_name: "Write" },
    });
    await session.answer(ask, { behavior: "deny", message: "not now" });
    expect((await waiting).result).toBe("deny: not now");
    expect(session.state.asks).toEqual([]);
  });

  it("is answered once: the first answer counts, a late one is an error", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const waiting = session.sendAndAwait("ask Write");
    const ask = await openAsk(session);
    const answers = await Promise.allSettled([
      session.answer(ask, { behavior: "deny", message: "first" }),
      session.answer(ask, { behavior: "allow" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await waiting).result).toBe("deny: first");
    await expect(session.answer(ask, { behavior: "allow" })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("answers questions with what the user chose", async () => {
    const session = await open("agent", { canUseTool: "manual" });
    const waiting = session.sendAndAwait("question Which colour?");
    const ask = await openAsk(session);
    const { input } = ask["request"] as { readonly input: object };
    const updatedInput = { ...input, answers: { "Which colour?": "Blue" } };
    await session.answer(ask, { behavior: "allow", updatedInput });
    expect((await waiting).result).toBe("You chose Blue.");
  });

  it("can be a request of a kind that nobody knows", async () => {
    const session = await open("calls-host", { canUseTool: "manual" });
    const waiting = askOf(session, { subtype: "elicitation", message: "Your name?" });
    const ask = await openAsk(session);
    await session.answer(ask, { behavior: "allow", updatedInput: { name: "x" } });
    expect((await waiting).response).toMatchObject({ behavior: "allow" });
  });
});

describe("a request of a kind that nobody knows", () => {
  it("is refused in words where a program answers", async () => {
    const answer = await answerTo(
      { subtype: "request_user_dialog" },
      { canUseTool: () => ({ behavior: "allow" }) },
    );
    expect(answer).toMatchObject({ subtype: "error", error: expect.stringContaining("request_user_dialog") });
    expect(await answerTo({ no: "subtype" }, {})).toMatchObject({ subtype: "error" });
  });
});

describe("hooks", () => {
  const hooks = {
    PreToolUse: [
      { matcher: "Bash", callback: (input: unknown) => ({ decision: "approve", seen: input }) },
      { callback: () => undefined },
    ],
    Stop: [
      {
        callback: () => {
          throw new Error("the hook is broken");
        },
      },
    ],
  };
  const call = (id: string): object => ({ subtype: "hook_callback", callback_id: id, input: { x: 1 } });

  it("are told to the CLI at its start, by ids of ours", async () => {
    const frames: unknown[] = [];
    const session = await open("hello", { hooks, tap: (frame) => void frames.push(frame) });
    await session.close();
    expect(frames[0]).toMatchObject({
      payload: {
        request: {
          subtype: "initialize",
          hooks: {
            PreToolUse: [{ matcher: "Bash", hookCallbackIds: ["hook_0"] }, { hookCallbackIds: ["hook_1"] }],
            Stop: [{ hookCallbackIds: ["hook_2"] }],
          },
        },
      },
    });
  });

  it("are called with the CLI's input, and answer with their output", async () => {
    const session = await open("calls-host", { hooks });
    expect(await askOf(session, call("hook_0"))).toMatchObject({
      response: { decision: "approve", seen: { x: 1 } },
    });
    expect(await askOf(session, call("hook_1"))).toMatchObject({ subtype: "success", response: {} });
    expect(await askOf(session, call("hook_2"))).toMatchObject({
      subtype: "error",
      error: "the hook is broken",
    });
    expect(await askOf(session, call("hook_9"))).toMatchObject({ subtype: "error" });
    expect(session.state.asks).toEqual([]);
  });
});

describe("MCP servers of this process", () => {
  const pass = (name: string, message: object): object => ({
    subtype: "mcp_message",
    server_name: name,
    message,
  });

  it("are told to the CLI at its start, and get its messages", async () => {
    const frames: unknown[] = [];
    const seen: unknown[] = [];
    const onMessage = (message: unknown): unknown => {
      seen.push(message);
      return "id" in (message as object) ? { jsonrpc: "2.0", id: 1, result: { tools: [] } } : undefined;
    };
    const mcpServers = { mine: { type: "sdk" as const, onMessage } };
    const session = await open("calls-host", { mcpServers, tap: (frame) => void frames.push(frame) });
    const request = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const answer = await askOf(session, pass("mine", request));
    expect(answer.response).toEqual({ mcp_response: { jsonrpc: "2.0", id: 1, result: { tools: [] } } });
    expect(await askOf(session, pass("mine", { method: "notifications/initialized" }))).toMatchObject({
      subtype: "success",
    });
    expect(await askOf(session, pass("other", request))).toMatchObject({ subtype: "error" });
    expect(seen[0]).toEqual(request);
    expect(frames[0]).toMatchObject({ payload: { request: { sdkMcpServers: ["mine"] } } });
    await until(session, ({ resultsSeen }) => resultsSeen === 3);
  });

  it("that fail are answered for", async () => {
    const onMessage = (): never => {
      throw new Error("the server is broken");
    };
    const answer = await answerTo(pass("mine", {}), { mcpServers: { mine: { type: "sdk", onMessage } } });
    expect(answer).toMatchObject({ subtype: "error", error: "the server is broken" });
  });
});
