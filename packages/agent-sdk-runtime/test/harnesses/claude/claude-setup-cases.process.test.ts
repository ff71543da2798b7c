// Troubles that hosts of coding agents have had, by the ids of the collected cases: what a start needs is not there.
import { mkdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { settlesWithin } from "../../../src/base/deadline.ts";
import { claude } from "../../../src/harnesses/index.ts";
import { AgentRuntimeError, createAgentRuntime, type SessionStore } from "../../../src/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { replaced } from "../../testing/replaced.ts";
import { fake } from "./claude-lab.ts";
import { stageOf, starts, statusOf } from "./claude-stage.ts";

describe("a directory that is deleted", () => {
  const missing = {
    outcome: "failed",
    reason: "harness-start-failed",
    error: { code: "directory-missing" },
  } as const;

  test("B105 between turns fails the next one, ends the CLI, and can be made again", async () => {
    const stage = await stageOf(fake("agent"));
    const talk = await stage.session();
    await talk.run("answer Once.");
    rmSync(stage.workspace, { recursive: true });
    expect(await talk.run("answer Never.")).toMatchObject(missing);
    expect([await statusOf(talk), stage.claudes()]).toEqual(["error", []]);
    await expect(stage.session({}, talk.runtime)).rejects.toMatchObject({ code: "directory-missing" });
    mkdirSync(stage.workspace);
    expect((await talk.run("answer Again.")).outcome).toBe("completed");
    expect((await starts(talk)).map(([, resumed]) => resumed)).toEqual([false, true]);
    await stage.end();
  });

  test("B105 during a turn ends that and its processes, and fails the next", async () => {
    const stage = await stageOf(fake("agent"));
    const talk = await stage.session();
    const turn = await talk.start("slow-tool exec sleep 60");
    await talk.event("tool.started");
    rmSync(stage.workspace, { recursive: true });
    expect(await settlesWithin(turn.settled, 8000)).toBe(true);
    expect(await turn.settled).toMatchObject({ ...missing, reason: "directory-missing" });
    await stage.until("nothing runs there", () => stage.inhabitants().length === 0);
    expect(await talk.run("answer Never.")).toMatchObject(missing);
    mkdirSync(stage.workspace);
    expect((await talk.run("answer Again.")).outcome).toBe("completed");
    await stage.end();
  });

  test("B105 together with a lost host fails the turn, and the next", async () => {
    const stage = await stageOf(fake("agent"));
    const host = stage.host("slow-tool exec sleep 60");
    await host.event("tool.started");
    rmSync(stage.workspace, { recursive: true });
    await host.kill();
    const talk = stage.again({ sessionId: await host.sessionId() });
    expect((await talk.runtime.ready).failed).toEqual([]);
    const turns = await talk.runtime.turns.list(talk.sessionId);
    expect([turns[0]?.reason, await statusOf(talk), stage.claudes()]).toEqual(["host-lost", "idle", []]);
    expect(await talk.run("answer Never.")).toMatchObject(missing);
    mkdirSync(stage.workspace);
    expect((await talk.run("answer Again.")).outcome).toBe("completed");
    await stage.end();
  });
});

describe("a start that cannot be told", () => {
  test("B160 because the store fails ends the CLI and tells who waits; the next turn works", async () => {
    const stage = await stageOf(fake("agent"));
    const real = sqliteStore({ path: stage.storePath });
    let started: readonly number[] = [];
    const commit: SessionStore["commit"] = async (writes) => {
      const isStart = writes.some(({ events }) => events.some(({ type }) => type === "harness.started"));
      if (!isStart || started.length > 0) return real.commit(writes);
      started = stage.claudes();
      throw new AgentRuntimeError("store-corrupt", "The disk has gone bad.");
    };
    const harness = claude({ binary: stage.binary, env: stage.env });
    await using runtime = createAgentRuntime({ store: replaced(real, { commit }), harnesses: [harness] });
    const talk = await stage.session({}, runtime);
    const turn = await talk.start("answer Never.");
    await expect(talk.settled(turn)).rejects.toMatchObject({ code: "store-corrupt" });
    expect([started.length, await statusOf(talk)]).toEqual([1, "error"]);
    await stage.until("the CLI is gone", () => stage.claudes().length === 0);
    expect((await talk.run("answer Here I am.")).outcome).toBe("completed");
    const turns = await runtime.turns.list(talk.sessionId);
    expect(turns.map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", "store-failed"],
      ["completed", "harness.completed"],
    ]);
    expect(turns[0]?.error).toEqual({
      code: "store-corrupt",
      message: "The disk has gone bad. The agent never got it. Send it again if you want it done.",
    });
    expect(await talk.said()).toEqual(["Here I am."]);
    await runtime.close();
    await stage.end();
  });

  test("B160 because the adapter cannot begin ends the CLI and fails the turn; the next one works", async () => {
    const stage = await stageOf(fake("agent"));
    const sound = claude({ binary: stage.binary, env: stage.env });
    let started: readonly number[] = [];
    const adapter: typeof sound.adapter = {
      ...sound.adapter,
      get initialState() {
        if (stage.claudes().length === 0 || started.length > 0) return sound.adapter.initialState;
        started = stage.claudes();
        throw new Error("No state to begin with.");
      },
    };
    const harness = { ...sound, adapter };
    const store = sqliteStore({ path: stage.storePath });
    await using runtime = createAgentRuntime({ store, harnesses: [harness] });
    const talk = await stage.session({}, runtime);
    expect(await talk.run("answer Never.")).toMatchObject({
      outcome: "failed",
      reason: "harness-start-failed",
      error: { message: "No state to begin with." },
    });
    expect([started.length, await statusOf(talk), stage.claudes()]).toEqual([1, "error", []]);
    expect((await talk.run("answer Here I am.")).outcome).toBe("completed");
    await runtime.close();
    await stage.end();
  });
});
