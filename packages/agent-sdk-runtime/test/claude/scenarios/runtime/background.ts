import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";
import { delegate, spoken, touch, wait, work } from "../steps.ts";

export const background: readonly Scenario[] = [
  {
    title: "tells of background work that ends at rest in a run of the harness's own, which ends no turn",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const first = await talk.run(stage.prompt("Begin.", [[work], "Begun.", "It is finished."]));
      expect(first.outcome).toBe("completed");
      expect(await talk.runtime.tasks.list(talk.sessionId)).toMatchObject([{ kind: "background" }]);
      stage.write("go", "");
      const own = await talk.event("run.started", ({ origin }) => origin === "harness");
      expect(own.turnId).toBeUndefined();
      const ended = await talk.event("run.ended", ({ runId }) => runId === own.runId);
      expect(ended.outcome).toBe("completed");
      expect(await talk.rows("task")).toMatchObject([{ kind: "background", outcome: "completed" }]);
      expect((await talk.run(stage.prompt("Next.", ["The next."]))).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["Begun.", "It is finished.", "The next."]);
      expect((await talk.all("turn.ended")).map(({ outcome }) => outcome)).toEqual([
        "completed",
        "completed",
      ]);
    },
  },
  {
    title: "does not take the result of background work for that of the turn that runs",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      await talk.run(stage.prompt("Begin.", [[work], "Begun."]));
      const next = await talk.start(stage.prompt("Next.", [spoken, "Noted."]));
      await talk.saying("First.");
      stage.write("go", "");
      await talk.event("task.ended");
      expect(await talk.runtime.turns.get({ sessionId: talk.sessionId, turnId: next.id })).toMatchObject({
        status: "running",
      });
      stage.release("on");
      expect((await talk.settled(next)).outcome).toBe("completed");
      const own = await talk.event("run.started", ({ origin }) => origin === "harness");
      await talk.event("run.ended", ({ runId }) => runId === own.runId);
      expect(await talk.said()).toEqual(["Begun.", "First.", "And last.", "Noted."]);
      expect(await talk.all("turn.ended")).toHaveLength(2);
    },
  },
  {
    title: "stops background work, and leaves that of an earlier turn alone when a turn is cancelled",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const { sessionId } = talk;
      await talk.run(stage.prompt("Begin.", [[work], "Begun."]));
      const next = await talk.start(stage.prompt("Next.", [spoken]));
      await talk.saying("First.");
      await talk.runtime.turns.cancel({ sessionId, turnId: next.id });
      const [task] = await talk.runtime.tasks.list(sessionId);
      expect(task).toMatchObject({ kind: "background" });
      await talk.runtime.tasks.stop({ sessionId, taskId: task?.taskId ?? "" });
      expect((await talk.event("task.ended")).outcome).toBe("cancelled");
      expect(await talk.runtime.tasks.list(sessionId)).toEqual([]);
    },
  },
  {
    title: "tells what a subagent does as the subagent's",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const agent = delegate(stage.prompt("Help.", [[touch("made.txt")], "I have made it."]), "waits");
      expect((await talk.run(stage.prompt("Begin.", [[agent], "It was made."]))).outcome).toBe("completed");
      expect(stage.has("made.txt")).toBe(true);
      const { taskId, callId } = await talk.event("task.started");
      expect(await talk.rows("task")).toMatchObject([{ kind: "agent", outcome: "completed" }]);
      const tools = (await talk.rows("tool")).map(({ name, agent: inside }) => [name, inside]);
      expect(tools).toEqual([
        ["Agent", undefined],
        ["Bash", [taskId]],
      ]);
      expect(await talk.rows("permission")).toMatchObject([{ agent: [taskId], outcome: "allowed" }]);
      const [call] = (await talk.rows("tool")).filter((row) => row.callId === callId);
      expect(call).toMatchObject({
        outcome: "ok",
        output: expect.stringContaining("I have made it.") as string,
      });
      expect(await talk.said()).toEqual(["It was made."]);
    },
  },
  {
    title: "answers a subagent that asks when no turn runs any more",
    async run(stage) {
      const talk = await stage.session();
      const agent = delegate(
        stage.prompt("Help.", [{ blocks: [touch("made.txt")], gate: "agent" }, "I have made it."]),
        "goes on",
      );
      const steps = [[agent], "Delegated.", "It has reported."];
      expect((await talk.run(stage.prompt("Begin.", steps))).outcome).toBe("completed");
      stage.release("agent");
      const ask = await talk.asked();
      const { taskId } = await talk.event("task.started");
      expect(ask.agent).toEqual([taskId]);
      await talk.answer(ask, "allow");
      const own = await talk.event("run.started", ({ origin }) => origin === "harness");
      await talk.event("run.ended", ({ runId }) => runId === own.runId);
      expect(stage.has("made.txt")).toBe(true);
      expect(await talk.said()).toEqual(["Delegated.", "It has reported."]);
      expect(await talk.rows("task")).toMatchObject([{ kind: "agent", outcome: "completed" }]);
      expect(await talk.all("turn.ended")).toHaveLength(1);
    },
  },
  {
    title: "stops a background agent by its id",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const agent = delegate(stage.prompt("Help.", [[wait], "Never."]), "goes on");
      await talk.run(stage.prompt("Begin.", [[agent], "Delegated."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      const [task] = await talk.runtime.tasks.list(talk.sessionId);
      await talk.runtime.tasks.stop({ sessionId: talk.sessionId, taskId: task?.taskId ?? "" });
      expect((await talk.event("task.ended")).outcome).toBe("cancelled");
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
      expect((await talk.run(stage.prompt("Go on.", ["Still here."]))).outcome).toBe("completed");
    },
  },
  {
    title: "answers a subagent and the turn that ask at the same time, in any order",
    async run(stage) {
      const talk = await stage.session();
      const agent = delegate(stage.prompt("Help.", [[touch("one.txt")], "Made one."]), "goes on");
      const turn = await talk.start(
        stage.prompt("Begin.", [[agent], [touch("two.txt")], "Made two.", "Noted."]),
      );
      const first = await talk.asked();
      const second = await talk.asked(first.seq);
      await talk.answer(second, "allow");
      await talk.answer(first, "allow");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      await stage.until("both are there", () => stage.has("one.txt") && stage.has("two.txt"));
    },
  },
];
