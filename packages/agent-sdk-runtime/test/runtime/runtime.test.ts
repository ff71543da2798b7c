import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createAgentRuntime,
  type AgentRuntime,
  type Deadlines,
  type Session,
} from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";

let folder: string;
const open: AgentRuntime[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-runtime-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.close()));
  await rm(folder, { recursive: true, force: true });
});

type Scripted = ReturnType<typeof scriptedHarness>;

function host(
  deadlines: Partial<Deadlines> = {},
  harness: Scripted = scriptedHarness(),
): { runtime: AgentRuntime; harness: Scripted } {
  const store = sqliteStore({ path: join(folder, "store.db") });
  const runtime = createAgentRuntime({ store, harnesses: [harness], deadlines });
  open.push(runtime);
  return { runtime, harness };
}

function newSession(runtime: AgentRuntime): Promise<Session> {
  return runtime.sessions.create({ directory: folder, harness: { id: "pi" } });
}

async function log(runtime: AgentRuntime, sessionId: string): Promise<readonly AgentRuntimeEvent[]> {
  return runtime.events.list(sessionId, { limit: 100_000 });
}

/** What was started and never ended, by the log alone. */
function leftOpen(events: readonly AgentRuntimeEvent[]): string[] {
  const open = new Set<string>();
  const keys = {
    run: "runId",
    input: "inputId",
    message: "messageId",
    tool: "callId",
    turn: "turnId",
  } as const;
  for (const event of events) {
    const [noun, verb] = event.type.split(".") as [keyof typeof keys, string];
    if (!(noun in keys)) continue;
    const id = `${noun} ${(event as unknown as Record<string, unknown>)[keys[noun]] as string}`;
    if (verb === "queued" || verb === "sent" || (verb === "started" && noun !== "turn")) open.add(id);
    if (verb === "ended") open.delete(id);
  }
  return [...open];
}

describe("turns", () => {
  test("settle with the harness's own verdict, and the log tells the whole story", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "answer forty-two" });
    expect(await turn.settled).toMatchObject({
      outcome: "completed",
      reason: "harness.stop",
      usage: { totalTokens: 3 },
    });
    const events = await log(runtime, session.id);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(leftOpen(events)).toEqual([]);
    const order = [
      "turn.queued",
      "turn.started",
      "harness.started",
      "input.sent",
      "run.started",
      "run.ended",
      "turn.ended",
    ];
    expect(events.map((event) => event.type).filter((type) => order.includes(type))).toEqual(order);
    const after = await runtime.sessions.get(session.id);
    expect(after).toMatchObject({ status: "idle", lastTurn: { turnId: turn.id, status: "completed" } });
    const { rows } = await runtime.messages.list(session.id);
    expect(rows.filter((row) => row.type === "text")).toMatchObject([{ text: "forty-two" }]);
    expect(rows.filter((row) => row.type === "input")).toHaveLength(1);
  });

  test("wait in line in order, one at a time, and keep to themselves what is theirs", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const turns = await Promise.all(
      ["answer a", "answer b", "answer c"].map((input) =>
        runtime.turns.start({ sessionId: session.id, input }),
      ),
    );
    for (const turn of turns) expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage.prompts).toEqual(["answer a", "answer b", "answer c"]);
    expect(harness.stage.connections).toBe(1);
    const events = await log(runtime, session.id);
    for (const event of events.filter((e) => e.type === "run.started"))
      expect(turns.map((turn) => turn.id)).toContain(event.turnId);
  });

  test("are refused while another runs, if the caller does not want to wait", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const first = await runtime.turns.start({ sessionId: session.id, input: "never" });
    await expect(
      runtime.turns.start({ sessionId: session.id, input: "answer", whenBusy: "reject" }),
    ).rejects.toMatchObject({ code: "session-busy" });
    await runtime.turns.cancel({ sessionId: session.id, turnId: first.id });
    expect((await first.settled).outcome).toBe("cancelled");
  });

  test("are started once for one idempotency key, also after they have settled and by a race", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const start = (input: string): ReturnType<AgentRuntime["turns"]["start"]> =>
      runtime.turns.start({ sessionId: session.id, input, idempotencyKey: "k" });
    const [one, two] = await Promise.all([start("answer a"), start("answer a")]);
    expect(one.id).toBe(two.id);
    await one.settled;
    expect(await (await start("answer a")).settled).toMatchObject({ turnId: one.id, outcome: "completed" });
    await expect(start("answer b")).rejects.toMatchObject({ code: "idempotency-conflict" });
    expect(harness.stage.prompts).toEqual(["answer a"]);
  });

  test("fail when the harness refuses, complete when it handles the prompt without a run", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const refused = await runtime.turns.start({ sessionId: session.id, input: "refuse" });
    expect(await refused.settled).toMatchObject({
      outcome: "failed",
      reason: "harness.refused",
      error: { message: "not now" },
    });
    const handled = await runtime.turns.start({ sessionId: session.id, input: "handled" });
    expect(await handled.settled).toMatchObject({ outcome: "completed", reason: "harness.handled" });
  });

  test("outlive garbage: it becomes diagnostics and the stream goes on", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "garbage" });
    expect((await turn.settled).outcome).toBe("completed");
    const codes = (await log(runtime, session.id)).filter((e) => e.type === "diagnostic").map((e) => e.code);
    expect(codes).toContain("frame.broken");
    expect(codes).toContain("frame.unknown");
  });

  test("fail with the reason when the harness dies, and the next one gets a new connection", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "crash" });
    expect(await turn.settled).toMatchObject({
      outcome: "failed",
      reason: "harness-crashed",
      error: { message: "the agent fell over" },
    });
    const next = await runtime.turns.start({ sessionId: session.id, input: "answer again" });
    expect((await next.settled).outcome).toBe("completed");
    expect(harness.stage.connections).toBe(2);
    expect(leftOpen(await log(runtime, session.id))).toEqual([]);
  });

  test("fail when the harness does not start, and status is error until something works", async () => {
    const { runtime, harness } = host({ connectMs: 200 });
    const session = await newSession(runtime);
    harness.stage.connect = () => Promise.reject(new Error("no such model"));
    const turn = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    expect(await turn.settled).toMatchObject({
      outcome: "failed",
      reason: "harness-start-failed",
      error: { message: "no such model" },
    });
    expect((await runtime.sessions.get(session.id)).status).toBe("error");
    harness.stage.connect = () => new Promise((resolve) => setTimeout(resolve, 1_000));
    const slow = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    expect(await slow.settled).toMatchObject({
      outcome: "failed",
      reason: "harness-start-failed",
      error: { code: "timeout" },
    });
    delete harness.stage.connect;
    const works = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    expect((await works.settled).outcome).toBe("completed");
    expect((await runtime.sessions.get(session.id)).status).toBe("idle");
  });

  test("fail when the prompt cannot be handed over", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    harness.stage.failWrites = "the pipe is closed";
    const turn = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    const result = await turn.settled;
    expect(result).toMatchObject({ outcome: "failed", reason: "input-lost" });
    expect(result.error?.message).toContain("the pipe is closed");
  });

  test("fail in a directory that is gone, saying which", async () => {
    const { runtime } = host();
    const directory = await mkdtemp(join(folder, "gone-"));
    const session = await runtime.sessions.create({ directory, harness: { id: "pi" } });
    await rm(directory, { recursive: true });
    const turn = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    const result = await turn.settled;
    expect(result).toMatchObject({
      outcome: "failed",
      reason: "harness-start-failed",
      error: { code: "directory-missing" },
    });
    expect(result.error?.message).toContain(directory);
  });
});

describe("deadlines", () => {
  test("settle a turn whose agent never answers, and the next turn works", async () => {
    const { runtime } = host({ silenceMs: 300 });
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "stubborn" });
    expect(await turn.settled).toMatchObject({ outcome: "failed", reason: "silence-deadline" });
    const next = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
    expect(leftOpen(await log(runtime, session.id))).toEqual([]);
  });

  test("let a tool take its time", async () => {
    const { runtime } = host({ silenceMs: 200 });
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "tool" });
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect((await runtime.turns.get({ sessionId: session.id, turnId: turn.id })).status).toBe("running");
    await runtime.turns.cancel({ sessionId: session.id, turnId: turn.id });
    expect((await turn.settled).outcome).toBe("cancelled");
  });

  test("cancel a harness that ignores it within the grace", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "stubborn" });
    await expect.poll(() => harness.stage.prompts.length).toBe(1);
    const began = Date.now();
    const cancelled = await runtime.turns.cancel({ sessionId: session.id, turnId: turn.id, graceMs: 800 });
    expect(Date.now() - began).toBeLessThan(800 + 2_000);
    expect(cancelled).toMatchObject({ status: "cancelled", reason: "cancel-forced" });
    expect(await turn.settled).toMatchObject({ outcome: "cancelled" });
    expect(leftOpen(await log(runtime, session.id))).toEqual([]);
  });

  test("cancel ends a turn's processes at once, not only when the harness is given up", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "stubborn" });
    await expect.poll(() => harness.stage.prompts.length).toBe(1);
    const env = { ...process.env, CLAXEDO_OWNER: "s.h.x_1", CLAXEDO_TURN: turn.id };
    const child = spawn("sleep", ["300"], { env, detached: true, stdio: "ignore" });
    const gone = once(child, "exit");
    const cancelled = runtime.turns.cancel({ sessionId: session.id, turnId: turn.id, graceMs: 8_000 });
    await gone;
    expect((await runtime.turns.get({ sessionId: session.id, turnId: turn.id })).status).toBe("running");
    expect((await cancelled).status).toBe("cancelled");
  });

  test("B157 cancel ends one turn and leaves those behind it in line", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const first = await runtime.turns.start({ sessionId: session.id, input: "never" });
    const second = await runtime.turns.start({ sessionId: session.id, input: "answer two" });
    const third = await runtime.turns.start({ sessionId: session.id, input: "answer three" });
    await runtime.turns.cancel({ sessionId: session.id, turnId: third.id });
    await runtime.turns.cancel({ sessionId: session.id, turnId: first.id });
    expect((await first.settled).outcome).toBe("cancelled");
    expect((await second.settled).outcome).toBe("completed");
    expect(await third.settled).toMatchObject({ outcome: "cancelled", reason: "cancelled-while-queued" });
    expect((await runtime.sessions.get(session.id)).lastTurn?.turnId).toBe(second.id);
  });

  test("B068 cancel a turn while the harness is still starting", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    harness.stage.connect = () => new Promise((resolve) => setTimeout(resolve, 300));
    const turn = await runtime.turns.start({ sessionId: session.id, input: "answer" });
    await runtime.turns.cancel({ sessionId: session.id, turnId: turn.id });
    expect(await turn.settled).toMatchObject({ outcome: "cancelled", reason: "cancelled-before-sent" });
    const next = await runtime.turns.start({ sessionId: session.id, input: "answer next" });
    expect((await next.settled).outcome).toBe("completed");
    expect(harness.stage.prompts).toEqual(["answer next"]);
    expect(harness.stage.connections).toBe(1);
  });

  test("B157 closing ends a running turn as cancelled and leaves queued ones in line for the next host", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const running = await runtime.turns.start({ sessionId: session.id, input: "never" });
    const waiting = await runtime.turns.start({ sessionId: session.id, input: "answer later" });
    await runtime.close();
    expect((await running.settled).outcome).toBe("cancelled");
    await expect(waiting.settled).rejects.toMatchObject({ code: "closed" });
    const { runtime: later } = host();
    expect(await later.sessions.get(session.id)).toMatchObject({
      status: "busy",
      queue: [{ turnId: waiting.id }],
    });
    const next = await later.turns.start({ sessionId: session.id, input: "answer now" });
    await next.settled;
    expect((await later.turns.get({ sessionId: session.id, turnId: waiting.id })).status).toBe("completed");
  });
});

describe("subscribers", () => {
  test("see every event once, in order, from any cursor, and end when the session is deleted", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const seen: AgentRuntimeEvent[] = [];
    const reading = (async () => {
      for await (const event of runtime.events.subscribe({ sessionId: session.id })) seen.push(event);
    })();
    for (const input of ["answer a", "flood 300", "answer b"]) {
      await (
        await runtime.turns.start({ sessionId: session.id, input })
      ).settled;
    }
    const stored = await log(runtime, session.id);
    const tail: AgentRuntimeEvent[] = [];
    for await (const event of runtime.events.subscribe({ sessionId: session.id, after: 5 })) {
      tail.push(event);
      if (event.seq === stored.length) break;
    }
    expect(tail).toEqual(stored.slice(5));
    await runtime.sessions.delete(session.id);
    await reading;
    expect(seen.slice(0, stored.length)).toEqual(stored);
    expect(seen.at(-1)?.type).toBe("session.deleted");
    await expect(runtime.sessions.get(session.id)).rejects.toMatchObject({ code: "session-not-found" });
  });

  test("are told when their cursor is not in the log", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const ahead = runtime.events.subscribe({ sessionId: session.id, after: 1_000 });
    await expect(ahead[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "cursor-ahead" });
  });

  test("B113 a stalled reader costs nobody an event: usage, status and turn of each event are in the store", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const stalled = runtime.events.subscribe({ sessionId: session.id })[Symbol.asyncIterator]();
    await stalled.next();
    const turns = [];
    for (let n = 0; n < 3; n++) {
      const turn = await runtime.turns.start({ sessionId: session.id, input: "flood 5000" });
      expect(await turn.settled).toMatchObject({ outcome: "completed", usage: { outputTokens: 5_000 } });
      turns.push(turn.id);
    }
    const events = await log(runtime, session.id);
    for (const id of turns)
      expect(events.filter((e) => e.type === "message.delta" && e.turnId === id)).toHaveLength(5_000);
    const rest: AgentRuntimeEvent[] = [];
    while (rest.length < events.length - 1) rest.push((await stalled.next()).value as AgentRuntimeEvent);
    expect(rest).toEqual(events.slice(1));
    await stalled.return?.();
  });

  test("in another host follow the log while this one works", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const { runtime: other } = host();
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of other.events.subscribe({ sessionId: session.id })) {
        seen.push(event.seq);
        if (event.type === "turn.ended") return;
      }
    })();
    await (
      await runtime.turns.start({ sessionId: session.id, input: "flood 200" })
    ).settled;
    await following;
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    await expect(other.turns.start({ sessionId: session.id, input: "answer" })).rejects.toMatchObject({
      code: "owned-elsewhere",
    });
  });
});

describe("bad input", () => {
  test("gets a typed error that says what to do", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    await expect(runtime.turns.start({ sessionId: session.id, input: "  \n" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(runtime.turns.start({ sessionId: "nope", input: "x" })).rejects.toMatchObject({
      code: "session-not-found",
    });
    await expect(
      runtime.sessions.create({ directory: folder, harness: { id: "nope" } }),
    ).rejects.toMatchObject({ code: "harness-unknown" });
    await expect(
      runtime.sessions.create({ directory: folder, harness: { id: "pi", access: "acp" } }),
    ).rejects.toMatchObject({ code: "access-unsupported" });
    await expect(runtime.sessions.create({ directory: "rel", harness: { id: "pi" } })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(
      runtime.sessions.create({ directory: join(folder, "no"), harness: { id: "pi" } }),
    ).rejects.toMatchObject({ code: "directory-missing" });
    await expect(runtime.turns.get({ sessionId: session.id, turnId: "t" })).rejects.toMatchObject({
      code: "turn-not-found",
    });
  });

  test("what a harness cannot do is not supported, by name", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "never" });
    const cannot = [
      () => runtime.sessions.fork(session.id),
      () => runtime.turns.steer({ sessionId: session.id, turnId: turn.id, input: "x" }),
      () => runtime.commands.list(session.id),
      () => runtime.models.list(session.id),
    ];
    for (const call of cannot) await expect(call()).rejects.toMatchObject({ code: "not-supported" });
    expect(await runtime.permissions.list(session.id)).toEqual([]);
    expect(await runtime.todos.list(session.id)).toEqual([]);
    expect(await runtime.tasks.list(session.id)).toEqual([]);
    expect(await runtime.mcp.list(session.id)).toEqual([]);
    expect(await runtime.config.read(session.id)).toEqual({
      harness: { id: "pi", access: "native" },
      modes: [],
    });
  });

  test("U+2028, lone surrogates and 5 MB come back as they were sent", async () => {
    const { runtime, harness } = host();
    const session = await newSession(runtime);
    const odd = `answer \u2028\u2029 \ud800 \udc00 "${"x".repeat(5_000_000)}`;
    const turn = await runtime.turns.start({ sessionId: session.id, input: odd });
    expect((await turn.settled).outcome).toBe("completed");
    expect(harness.stage.prompts[0]).toBe(odd);
    const queued = (await log(runtime, session.id)).find((event) => event.type === "turn.queued");
    expect(queued?.type === "turn.queued" && queued.input).toEqual([{ type: "text", text: odd }]);
  });

  test("a reader sees everything and changes nothing", async () => {
    const { runtime } = host();
    const session = await newSession(runtime);
    await (
      await runtime.turns.start({ sessionId: session.id, input: "answer" })
    ).settled;
    const reader = createAgentRuntime({
      store: sqliteStore({ path: join(folder, "store.db") }),
      harnesses: [scriptedHarness()],
      role: "reader",
    });
    open.push(reader);
    expect((await reader.sessions.list()).map((listed) => listed.id)).toEqual([session.id]);
    expect(await log(reader, session.id)).toEqual(await log(runtime, session.id));
    await expect(reader.turns.start({ sessionId: session.id, input: "x" })).rejects.toMatchObject({
      code: "read-only",
    });
    await expect(reader.sessions.create({ directory: folder, harness: { id: "pi" } })).rejects.toMatchObject({
      code: "read-only",
    });
  });
});
