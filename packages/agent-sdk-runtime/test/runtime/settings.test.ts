import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { AgentRuntime, SessionWrite } from "@claxedo/agent-sdk-runtime";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { scriptedClaude, scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

async function done(runtime: AgentRuntime, sessionId: string, input: string): Promise<void> {
  const turn = await runtime.turns.start({ sessionId, input });
  expect((await turn.settled).outcome).toBe("completed");
}

describe("commands and models", () => {
  test("are told by a program of its own while no connection is up, and by the connection while one is", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder);
    const commands = await runtime.commands.list(id);
    expect(commands).toEqual([{ id: "compact", argumentHint: "what to keep" }, { id: "clear" }]);
    expect(harness.stage).toMatchObject({ offers: 1, connections: 0 });
    await done(runtime, id, "answer");
    expect(await runtime.models.list(id)).toMatchObject([{ id: "scripted-small" }, { id: "scripted-large" }]);
    expect(harness.stage).toMatchObject({ offers: 1, connections: 1 });
    expect((await runtime.sessions.get(id)).status).toBe("idle");
  });

  test("are asked for once by those who ask at the same time", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder);
    await Promise.all([runtime.commands.list(id), runtime.models.list(id), runtime.config.read(id)]);
    expect(harness.stage.offers).toBe(1);
  });

  test("that nobody tells in time are given up, with whatever the program left behind", async () => {
    const harness = scriptedClaude();
    const left: { owner?: string; gone?: Promise<unknown>; aborted?: boolean } = {};
    const hangs: typeof harness.offer = async ({ owner, signal }) => {
      const env = { ...process.env, CLAXEDO_OWNER: owner };
      const child = spawn("sleep", ["300"], { env, detached: true, stdio: "ignore" });
      Object.assign(left, { owner, gone: once(child, "exit") });
      signal.addEventListener("abort", () => (left.aborted = true));
      return new Promise(() => undefined);
    };
    const runtime = stage.host({ harnesses: [{ ...harness, offer: hangs }], deadlines: { connectMs: 300 } });
    const { id } = await newSession(runtime, stage.folder);
    await expect(runtime.models.list(id)).rejects.toMatchObject({ code: "timeout" });
    await left.gone;
    expect(left).toMatchObject({ aborted: true, owner: expect.stringContaining(id) });
    const asking = runtime.models.list(id);
    asking.catch(() => undefined);
    await expect.poll(() => left.owner).toBeDefined();
    await runtime.close();
    await left.gone;
    await expect(asking).rejects.toMatchObject({ code: "timeout" });
  });

  test("run as a turn of their own, as they were typed", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.commands.run({ sessionId, command: "/compact the tests" });
    expect(await turn.settled).toMatchObject({ outcome: "completed" });
    expect(harness.stage.prompts).toEqual(["/compact the tests"]);
    const part = { type: "command", text: "/compact the tests" };
    expect(await eventsOf(runtime, sessionId, "turn.queued")).toMatchObject([{ input: [part] }]);
    expect(await eventsOf(runtime, sessionId, "input.sent")).toMatchObject([{ parts: [part] }]);
    expect(await eventsOf(runtime, sessionId, "input.ended")).toMatchObject([{ outcome: "handled" }]);
    const { rows } = await runtime.messages.list(sessionId);
    expect(rows.filter((row) => row.type === "input")).toMatchObject([{ parts: [part], status: "handled" }]);
    const again = { sessionId, command: "/compact", idempotencyKey: "k" };
    const [one, two] = await Promise.all([runtime.commands.run(again), runtime.commands.run(again)]);
    expect(one.id).toBe(two.id);
  });

  test("are text where a text says so: a prompt that begins with a slash is none", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await runtime.turns.start({ sessionId, input: "/compact is a word here" });
    expect(await eventOf(runtime, sessionId, "input.sent")).toMatchObject({
      parts: [{ type: "text", text: "/compact is a word here" }],
    });
  });

  test("begin with a slash and stand alone", async () => {
    const runtime = stage.host();
    const { id: sessionId } = await newSession(runtime, stage.folder);
    for (const command of ["compact", "", "/", "/ compact", " /compact"])
      await expect(runtime.commands.run({ sessionId, command })).rejects.toMatchObject({
        code: "invalid-input",
      });
    const input = [
      { type: "text", text: "please" },
      { type: "command", text: "/compact" },
    ] as const;
    await expect(runtime.turns.start({ sessionId, input })).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("configuration", () => {
  test("refuses a mode where the harness has none, instead of not heeding it", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const directory = stage.folder;
    const refused = expect.objectContaining({ code: "not-supported" }) as unknown;
    await expect(
      runtime.sessions.create({ directory, harness: { id: harness.id }, mode: "plan" }),
    ).rejects.toEqual(refused);
    const { id } = await newSession(runtime, directory, harness);
    await expect(runtime.config.update(id, { mode: "plan" })).rejects.toEqual(refused);
    expect(await runtime.sessions.get(id)).not.toHaveProperty("mode");
  });

  test("says what is asked of the harness, and which modes there are", async () => {
    const runtime = stage.host();
    const { id } = await runtime.sessions.create({
      directory: stage.folder,
      harness: { id: "claude" },
      model: "scripted-large",
      mode: "plan",
    });
    const config = { model: "scripted-large", mode: "plan" };
    expect(await runtime.config.read(id)).toMatchObject({
      harness: { id: "claude", access: "native" },
      ...config,
      modes: [{ id: "default" }, { id: "plan" }, { id: "acceptEdits" }],
    });
    expect(await runtime.sessions.get(id)).toMatchObject(config);
    expect(await stage.host({ role: "reader" }).config.read(id)).toMatchObject({ ...config, modes: [] });
    expect(await stage.host().config.read(id)).toMatchObject({ ...config, modes: [] });
  });

  test("is stored for the next connection while none is up", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder);
    const changed = await runtime.config.update(id, { model: "scripted-large", mode: "plan" });
    expect(changed).toMatchObject({ model: "scripted-large", mode: "plan" });
    await done(runtime, id, "answer");
    expect(harness.stage.requests).toMatchObject([{ model: "scripted-large", mode: "plan" }]);
  });

  test("is changed at once in a harness that is up, and the next turn needs no new connection", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "work" });
    await eventOf(runtime, sessionId, "run.started");
    await runtime.config.update(sessionId, { mode: "plan" });
    expect(await runtime.sessions.get(sessionId)).toMatchObject({ mode: "plan", status: "busy" });
    await runtime.sessions.update(sessionId, { model: "scripted-large", title: "Renamed" });
    const session = await runtime.sessions.get(sessionId);
    expect(session).toMatchObject({ model: "scripted-large", mode: "plan", title: "Renamed" });
    await runtime.turns.cancel({ sessionId, turnId: turn.id });
    await done(runtime, sessionId, "answer");
    expect(harness.stage.connections).toBe(1);
  });

  test("follows what the harness says of itself, without a new connection, and over the next one", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder);
    await done(runtime, id, "answer");
    expect(await runtime.sessions.get(id)).toMatchObject({ model: "scripted-small", mode: "default" });
    await done(runtime, id, "answer");
    expect(harness.stage.connections).toBe(1);
    await runtime.close();
    await done(stage.host({ harnesses: [harness] }), id, "answer");
    expect(harness.stage.requests.at(-1)).toMatchObject({ model: "scripted-small", mode: "default" });
  });

  test("that the harness refuses changes nothing", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder);
    await done(runtime, id, "answer");
    const before = await runtime.sessions.get(id);
    for (const [change, code] of [
      [{ model: "gpt" }, "model-unknown"],
      [{ mode: "wild" }, "invalid-input"],
    ] as const)
      await expect(runtime.config.update(id, change)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(Object.values(change)[0] ?? ""),
      });
    const refused = runtime.sessions.update(id, { title: "T", model: "gpt" });
    await expect(refused).rejects.toMatchObject({ code: "model-unknown" });
    const { model, mode, title } = await runtime.sessions.get(id);
    expect({ model, mode, title }).toEqual({ model: before.model, mode: before.mode, title: before.title });
    await done(runtime, id, "answer");
    expect(harness.stage.connections).toBe(1);
  });

  test("that the harness does not answer is given up in time", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness], deadlines: { writeMs: 200 } });
    const { id } = await newSession(runtime, stage.folder);
    await done(runtime, id, "answer");
    harness.stage.refuse = "";
    await expect(runtime.config.update(id, { mode: "plan" })).rejects.toMatchObject({ code: "timeout" });
    expect((await runtime.sessions.get(id)).mode).toBe("default");
    await done(runtime, id, "answer");
  });

  test("makes a harness that cannot be configured connect anew for the next turn, and not in between", async () => {
    const harness = scriptedHarness();
    const runtime = stage.host({ harnesses: [harness] });
    const { id } = await newSession(runtime, stage.folder, harness);
    await done(runtime, id, "answer");
    await runtime.sessions.update(id, { model: "other" });
    await runtime.sessions.update(id, { title: "Only a title" });
    expect(harness.stage.connections).toBe(1);
    await done(runtime, id, "answer");
    expect(harness.stage.connections).toBe(2);
    await runtime.sessions.update(id, { model: "other" });
    await done(runtime, id, "answer");
    expect(harness.stage.connections).toBe(2);
  });

  test("is not lost when it is changed while the harness starts", async () => {
    const harness = scriptedClaude();
    const starting = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    harness.stage.connect = () => {
      starting.resolve();
      return started.promise;
    };
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.turns.start({ sessionId, input: "answer" });
    await starting.promise;
    await runtime.config.update(sessionId, { model: "scripted-large" });
    started.resolve();
    await turn.settled;
    await done(runtime, sessionId, "answer");
    expect(harness.stage.requests.at(-1)?.model).toBe("scripted-large");
  });

  test("is checked", async () => {
    const runtime = stage.host();
    const { id } = await newSession(runtime, stage.folder);
    for (const change of [{ model: "" }, { mode: " " }])
      await expect(runtime.config.update(id, change)).rejects.toMatchObject({ code: "invalid-input" });
    const elsewhere = stage.host().config.update(id, { mode: "plan" });
    await expect(elsewhere).rejects.toMatchObject({ code: "owned-elsewhere" });
    expect(await runtime.config.update(id, {})).toMatchObject({ id });
  });
});

describe("the harness's own name of the session", () => {
  test("is stored in the commit that tells of its change, so that a host that dies then resumes the new one", async () => {
    const harness = scriptedClaude();
    const store = memoryStore({ of: memoryDatabase() });
    const written: SessionWrite[] = [];
    const watched = new Proxy(store, {
      get(target, key) {
        if (key === "commit")
          return (writes: readonly SessionWrite[]) => (written.push(...writes), target.commit(writes));
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const runtime = stage.host({ harnesses: [harness] }, watched);
    const { id: sessionId } = await newSession(runtime, stage.folder);
    await done(runtime, sessionId, "answer");
    const turn = await runtime.commands.run({ sessionId, command: "/clear" });
    await turn.settled;
    const telling = written.filter(({ events }) =>
      events.some((event) => event.type === "harness.updated" && event.nativeSessionId === "scripted-2"),
    );
    expect(telling).toMatchObject([{ binding: { current: { sessionId: "scripted-2" } } }]);
  });

  test("is kept as the last prompt left it while it does not change", async () => {
    const harness = scriptedClaude();
    let bound = 0;
    const counting: typeof harness.connect = async (request) => {
      const connection = await harness.connect(request);
      return Object.assign(connection, {
        binding: () => ({ sessionId: "scripted-1", cursor: (bound += 1) }),
      });
    };
    const runtime = stage.host({ harnesses: [{ ...harness, connect: counting }] });
    const { id } = await newSession(runtime, stage.folder);
    await done(runtime, id, "answer");
    await done(runtime, id, "answer");
    // At the start, and with each prompt.
    expect(bound).toBe(3);
  });

  test("is what the next host resumes", async () => {
    const harness = scriptedClaude();
    const runtime = stage.host({ harnesses: [harness] });
    const { id: sessionId } = await newSession(runtime, stage.folder);
    const turn = await runtime.commands.run({ sessionId, command: "/clear" });
    await turn.settled;
    await runtime.close();
    const later = stage.host({ harnesses: [harness] });
    await done(later, sessionId, "answer");
    expect(harness.stage.requests.at(-1)?.binding).toEqual({ sessionId: "scripted-2" });
    expect(await eventsOf(later, sessionId, "harness.started")).toMatchObject([
      { resumed: false },
      { resumed: true, nativeSessionId: "scripted-2" },
    ]);
  });
});
