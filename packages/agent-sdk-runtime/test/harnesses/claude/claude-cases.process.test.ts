// Troubles that hosts of coding agents have had, by the ids of the collected cases: starts, ends, resuming.
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fake, program } from "./claude-lab.ts";
import { lastSaid, stageOf, starts, statusOf } from "./claude-stage.ts";

describe("resuming", () => {
  test("B028 of two sessions in a directory the one is resumed that is meant, by its id", async () => {
    const stage = await stageOf(fake("agent"));
    const runtime = stage.runtime();
    const a = await stage.session({}, runtime);
    const b = await stage.session({}, runtime);
    await a.run("answer I am A");
    await b.run("answer I am B");
    await runtime.close();
    const again = stage.again(a);
    await again.run("args");
    const args = JSON.parse(await lastSaid(again)) as readonly string[];
    const [[nativeId] = []] = await starts(again);
    expect(args).toContain(`--resume=${nativeId}`);
    expect(args.filter((arg) => /^(?:-c|--continue|-r|--resume)$/u.test(arg))).toEqual([]);
    expect(await starts(again)).toEqual([
      [nativeId, false],
      [nativeId, true],
    ]);
    await stage.end();
  });

  test("B153 an id that the CLI does not know is given up: a new session, told as not resumed", async () => {
    const stage = await stageOf(fake("agent"));
    stage.expected.push("resume.abandoned");
    const talk = await stage.session();
    await talk.run("answer Once.");
    await talk.runtime.close();
    stage.forgetTranscripts();
    const next = stage.again(talk);
    await next.run("args");
    const [[lost] = [], [made, resumed] = []] = await starts(next);
    expect([resumed, made === lost]).toEqual([false, false]);
    expect(await lastSaid(next)).toContain(`--session-id=${made}`);
    expect(await lastSaid(next)).not.toContain(lost);
    await stage.end();
  });

  test.each([
    ["hangs", "hold"],
    ["ends", "die"],
  ])("B082 a CLI that %s at every start fails the turn in time, and the id is kept", async (_, file) => {
    const stage = await stageOf(program("held"));
    stage.expected.push("resume.failed");
    const talk = await stage.session();
    await talk.run("answer Once.");
    await talk.runtime.close();
    const next = stage.again(talk, stage.runtime({ startTimeoutMs: 1000 }));
    stage.write(file, "");
    const failed = { outcome: "failed", reason: "harness-start-failed", error: { code: "harness-failed" } };
    expect(await next.run("answer Never.")).toMatchObject(failed);
    expect([await statusOf(next), stage.claudes()]).toEqual(["error", []]);
    rmSync(stage.path(file));
    await next.runtime.close();
    const last = stage.again(talk);
    expect((await last.run("answer Again.")).outcome).toBe("completed");
    const [[nativeId] = []] = await starts(last);
    expect((await starts(last)).at(-1)).toEqual([nativeId, true]);
    await stage.end();
  });

  test.each([
    ["hangs", "resume-hold"],
    ["ends", "resume-die"],
  ])(
    "B026 a session cut in a tool, with a CLI that %s when it resumes, goes on in a new one",
    async (_, file) => {
      const stage = await stageOf(program("held"));
      stage.expected.push("resume.failed", "resume.abandoned");
      const host = stage.host("answer It was once.\nslow-tool exec sleep 60");
      await host.event("tool.started");
      await Promise.all([host.kill(), stage.killClaudes()]);
      stage.write(file, "");
      const talk = stage.again(
        { sessionId: await host.sessionId() },
        stage.runtime({ startTimeoutMs: 1000 }),
      );
      await talk.runtime.ready;
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["abandoned"]);
      expect(await talk.runtime.turns.list(talk.sessionId)).toMatchObject([{ reason: "host-lost" }]);
      expect((await talk.run("answer Here I am.")).outcome).toBe("completed");
      const told = (await talk.all("diagnostic")).map(({ code }) => code);
      expect(told).toEqual(["resume.failed", "resume.abandoned"]);
      const [cut, anew] = await starts(talk);
      expect([anew?.[1], anew?.[0] === cut?.[0]]).toEqual([false, false]);
      const [handed] = (await talk.all("input.sent")).filter(({ synthetic }) => synthetic);
      expect(JSON.stringify(handed?.parts)).toContain("It was once.");
      await talk.run("answer Still here.");
      expect(await starts(talk)).toHaveLength(2);
      await host.expectKept(talk);
      await stage.end();
    },
  );
});

describe("a slow start", () => {
  test("is over with its process when the runtime is closed", async () => {
    const stage = await stageOf(program("held"));
    stage.write("hold", "");
    const talk = await stage.session();
    const turn = await talk.start("answer Never.");
    await stage.until("the CLI is up", () => stage.claudes().length > 0);
    await talk.runtime.close();
    expect(stage.claudes()).toEqual([]);
    await expect(turn.settled).resolves.toMatchObject({ outcome: "cancelled" });
    await stage.end();
  });

  test("B038 is a busy session, and who leaves meanwhile neither stops the turn nor doubles it", async () => {
    const stage = await stageOf(program("held"));
    stage.write("hold", "");
    const talk = await stage.session();
    const turn = await talk.start("answer At last.");
    expect(await statusOf(talk)).toBe("busy");
    expect((await talk.runtime.sessions.list()).map(({ status }) => status)).toEqual(["busy"]);
    const leaving = new AbortController();
    for await (const event of talk.runtime.events.subscribe({
      sessionId: talk.sessionId,
      signal: leaving.signal,
    }))
      if (event.type === "turn.started") leaving.abort();
    await stage.until("the CLI is up", () => stage.claudes().length > 0);
    expect(await starts(talk)).toEqual([]);
    rmSync(stage.path("hold"));
    expect(await talk.settled(turn)).toMatchObject({ outcome: "completed" });
    for (const type of ["turn.queued", "turn.started", "harness.started", "run.started"] as const)
      expect(await talk.all(type)).toHaveLength(1);
    expect(await talk.said()).toEqual(["At last."]);
    await stage.end();
  });
});

describe("the end of a process", () => {
  test("B070 a session whose host and CLI were killed at work is opened as idle, and works", async () => {
    const stage = await stageOf(fake("agent"));
    const host = stage.host("slow-tool exec sleep 60");
    await host.event("tool.started");
    await Promise.all([host.kill(), stage.killClaudes()]);
    const talk = stage.again({ sessionId: await host.sessionId() });
    expect((await talk.runtime.ready).recovered).toEqual([talk.sessionId]);
    const turns = await talk.runtime.turns.list(talk.sessionId);
    expect(turns).toMatchObject([{ status: "failed", reason: "host-lost" }]);
    expect(await statusOf(talk)).toBe("idle");
    expect((await talk.run("answer Here I am.")).outcome).toBe("completed");
    expect((await starts(talk)).map(([, resumed]) => resumed)).toEqual([false, true]);
    await host.expectKept(talk);
    await stage.end();
  });

  test.each([
    ["SIGTERM", { code: 143 }],
    ["SIGKILL", { signal: "SIGKILL" }],
  ] as const)("B084 by %s is told, and the next turn of any session gets a new one", async (signal, exit) => {
    const stage = await stageOf(fake("agent"));
    const talk = await stage.session();
    await talk.run("pid");
    const pid = Number(await lastSaid(talk));
    process.kill(pid, signal);
    expect(await talk.event("harness.ended")).toMatchObject({ reason: "crashed", exit });
    const other = await stage.session({}, talk.runtime);
    for (const session of [other, talk]) {
      expect((await session.run("pid")).outcome).toBe("completed");
      expect(Number(await lastSaid(session))).not.toBe(pid);
    }
    const [[nativeId] = []] = await starts(talk);
    expect((await starts(talk)).at(-1)).toEqual([nativeId, true]);
    await stage.end();
  });
});
