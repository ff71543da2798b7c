import { mkdirSync, rmSync } from "node:fs";
import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";
import { spoken, touch, wait, work } from "../steps.ts";

export const recovery: readonly Scenario[] = [
  {
    title: "goes on where the last process of a session ended",
    async run(stage) {
      const talk = await stage.session();
      await talk.run(stage.prompt("Once.", ["It was once."]));
      await talk.runtime.close();
      const next = stage.again(talk);
      expect((await next.run(stage.prompt("Again.", ["And again."]))).outcome).toBe("completed");
      const starts = await next.all("harness.started");
      expect(starts.map(({ resumed }) => resumed)).toEqual([false, true]);
      expect(starts[1]?.nativeSessionId).toBe(starts[0]?.nativeSessionId);
      expect(await next.said()).toEqual(["It was once.", "And again."]);
      expect(JSON.stringify(stage.asked?.at(-1) ?? "It was once.")).toContain("It was once.");
    },
  },
  {
    title: "fails the turn whose CLI is killed, and resumes for the next without running it again",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const turn = await talk.start(stage.prompt("Wait.", [[wait], "Never."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await stage.killClaudes();
      expect(await talk.settled(turn)).toMatchObject({ outcome: "failed", reason: "harness-crashed" });
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
      expect((await talk.run(stage.prompt("Are you there?", ["I am."]))).outcome).toBe("completed");
      expect((await talk.all("harness.started")).map(({ resumed }) => resumed)).toEqual([false, true]);
      expect(stage.read("runs")).toBe("run\n");
      expect(await talk.said()).toEqual(["I am."]);
      expect((await talk.runtime.sessions.get(talk.sessionId)).status).toBe("idle");
    },
  },
  {
    title: "ends a turn whose directory is deleted, and goes on once there is one again",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      await talk.run(stage.prompt("Once.", ["It was once."]));
      const turn = await talk.start(stage.prompt("Wait.", [[wait], "Never."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      rmSync(stage.workspace, { recursive: true });
      const missing = { outcome: "failed", error: { code: "directory-missing" } };
      expect(await talk.settled(turn)).toMatchObject({ ...missing, reason: "directory-missing" });
      await stage.until("nothing runs there", () => stage.inhabitants().length === 0);
      expect(await talk.run(stage.prompt("Are you there?", ["Never."]))).toMatchObject(missing);
      mkdirSync(stage.workspace);
      expect((await talk.run(stage.prompt("And now?", ["I am."]))).outcome).toBe("completed");
      expect((await talk.all("harness.started")).map(({ resumed }) => resumed)).toEqual([false, true]);
      expect(await talk.said()).toEqual(["It was once.", "I am."]);
    },
  },
  {
    title: "settles the turn that a killed host left in a tool, and does not run it again",
    async run(stage) {
      const host = stage.host(stage.prompt("Wait.", [[wait], "Never."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await host.kill();
      const talk = stage.again({ sessionId: await host.sessionId() });
      expect((await talk.runtime.ready).recovered).toEqual([talk.sessionId]);
      expect(stage.isRunning("pid")).toBe(false);
      const [turn] = await talk.runtime.turns.list(talk.sessionId);
      expect(turn).toMatchObject({ status: "failed", reason: "host-lost" });
      expect((await talk.run(stage.prompt("Are you there?", ["I am."]))).outcome).toBe("completed");
      expect((await talk.all("harness.started")).at(-1)?.resumed).toBe(true);
      expect([stage.read("runs"), await talk.said()]).toEqual(["run\n", ["I am."]]);
      await host.expectKept(talk);
    },
  },
  {
    title: "completes the turn that ended while its host was gone, by the record of the CLI",
    async run(stage) {
      const host = stage.host(stage.prompt("Speak.", [spoken]));
      await host.event("part.ended");
      await host.kill();
      stage.release("on");
      await stage.until("the CLI has finished and ended", () => stage.claudes().length === 0);
      const talk = stage.again({ sessionId: await host.sessionId() });
      expect((await talk.runtime.ready).recovered).toEqual([talk.sessionId]);
      const [turn] = await talk.runtime.turns.list(talk.sessionId);
      expect(turn).toMatchObject({ status: "completed" });
      expect(await talk.said()).toEqual(["First.", "And last."]);
      expect((await talk.run(stage.prompt("Next.", ["The next."]))).outcome).toBe("completed");
      await host.expectKept(talk);
    },
  },
  {
    title: "ends what a killed host left at work, before its session is used again",
    async run(stage) {
      const host = stage.host(stage.prompt("Speak.", [spoken]));
      await host.event("part.ended");
      await host.kill();
      const talk = stage.again({ sessionId: await host.sessionId() });
      await talk.runtime.ready;
      expect(stage.claudes()).toEqual([]);
      const [turn] = await talk.runtime.turns.list(talk.sessionId);
      expect(turn).toMatchObject({ status: "failed", reason: "host-lost" });
      stage.release("on");
      expect((await talk.run(stage.prompt("Next.", ["The next."]))).outcome).toBe("completed");
      expect(await talk.said()).not.toContain("And last.");
    },
  },
  {
    title: "tells of a tool that was denied because the host had gone while it was asked for",
    async run(stage) {
      const host = stage.host(stage.prompt("Make it.", [[touch("made.txt")], "Then not."]), {
        asked: "nobody",
      });
      await host.event("permission.requested");
      await host.kill();
      await stage.until("the CLI has finished and ended", () => stage.claudes().length === 0);
      const talk = stage.again({ sessionId: await host.sessionId() });
      await talk.runtime.ready;
      expect(await talk.rows("permission")).toMatchObject([{ outcome: "cancelled", by: "harness" }]);
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["denied"]);
      const [turn] = await talk.runtime.turns.list(talk.sessionId);
      expect([turn?.status, await talk.said(), stage.has("made.txt")]).toEqual([
        "completed",
        ["Then not."],
        false,
      ]);
    },
  },
  {
    title: "begins anew where the CLI has lost its session",
    async run(stage) {
      stage.expected.push("resume.abandoned");
      const talk = await stage.session();
      await talk.run(stage.prompt("Once.", ["It was once."]));
      await talk.runtime.close();
      stage.forgetTranscripts();
      const next = stage.again(talk);
      expect((await next.run(stage.prompt("Again.", ["And again."]))).outcome).toBe("completed");
      expect((await next.all("harness.started")).map(({ resumed }) => resumed)).toEqual([false, false]);
      expect(await next.said()).toEqual(["It was once.", "And again."]);
      const handed = String.raw`{\"assistant\":\"It was once.\"}`;
      expect(stage.asked === undefined ? handed : JSON.stringify(stage.asked.at(-1))).toContain(handed);
      // The new session knows it now, also when it is resumed in turn.
      await next.runtime.close();
      const last = stage.again(next);
      expect((await last.run(stage.prompt("And?", ["Done."]))).outcome).toBe("completed");
      expect((await last.all("harness.started")).at(-1)?.resumed).toBe(true);
      expect((await last.all("input.sent")).filter(({ synthetic }) => synthetic)).toHaveLength(1);
    },
  },
  {
    title: "starts again when its CLI is killed at rest",
    async run(stage) {
      const talk = await stage.session();
      await talk.run(stage.prompt("Once.", ["It was once."]));
      await stage.killClaudes();
      await talk.event("harness.ended", ({ reason }) => reason === "crashed");
      expect((await talk.run(stage.prompt("Again.", ["And again."]))).outcome).toBe("completed");
      expect((await talk.all("harness.started")).map(({ resumed }) => resumed)).toEqual([false, true]);
    },
  },
  {
    title: "leaves nothing behind when its host is killed at rest",
    async run(stage) {
      const host = stage.host(stage.prompt("Once.", ["It was once."]), { stays: true });
      await host.event("turn.ended");
      expect(stage.claudes()).not.toEqual([]);
      await host.kill();
      await stage.until("the CLI has ended", () => stage.claudes().length === 0);
      const talk = stage.again({ sessionId: await host.sessionId() });
      expect((await talk.runtime.ready).recovered).toEqual([]);
      expect((await talk.run(stage.prompt("Again.", ["And again."]))).outcome).toBe("completed");
      expect((await talk.all("harness.ended")).map(({ reason }) => reason)).toEqual(["lost"]);
      expect(await talk.said()).toEqual(["It was once.", "And again."]);
      await host.expectKept(talk);
    },
  },
  {
    title: "ends background work with the CLI that is killed",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      await talk.run(stage.prompt("Begin.", [[work], "Begun."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await stage.killClaudes();
      await talk.event("harness.ended");
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
      expect((await talk.run(stage.prompt("Go on.", ["Still here."]))).outcome).toBe("completed");
      expect((await talk.rows("task"))[0]).toMatchObject({ kind: "background", outcome: "abandoned" });
      expect(await talk.runtime.tasks.list(talk.sessionId)).toEqual([]);
    },
  },
];
