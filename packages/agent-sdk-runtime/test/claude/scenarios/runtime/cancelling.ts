import { expect } from "vitest";
import type { Turn } from "../../../../src/index.ts";
import type { RuntimeTalk } from "../runtime-talk.ts";
import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { delegate, spoken, wait } from "../steps.ts";

/** The turn ends as cancelled by the harness's own word, and the session goes on in the same process. */
async function expectCancelled(stage: Stage, talk: RuntimeTalk, turn: Turn, reason: string): Promise<void> {
  const { sessionId } = talk;
  const { status } = await talk.runtime.turns.cancel({ sessionId, turnId: turn.id });
  expect(status).toBe("cancelled");
  expect(await talk.settled(turn)).toMatchObject({ outcome: "cancelled", reason: `harness.${reason}` });
  expect((await talk.run(stage.prompt("Go on.", ["Still here."]))).outcome).toBe("completed");
  expect((await talk.said()).at(-1)).toBe("Still here.");
  expect(await talk.all("harness.started")).toHaveLength(1);
}

export const cancelling: readonly Scenario[] = [
  {
    title: "cancels a turn in its text",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Speak.", [spoken]));
      await talk.saying("First.");
      await expectCancelled(stage, talk, turn, "aborted_streaming");
      expect(await talk.said()).toEqual(["First.", "Still here."]);
      expect((await talk.rows("input")).map(({ status, parts }) => [status, parts.length])).toEqual([
        ["cancelled", 1],
        ["answered", 1],
      ]);
    },
  },
  {
    title: "cancels a turn in a tool, and what it runs",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const turn = await talk.start(stage.prompt("Wait.", [[wait], "Never."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await expectCancelled(stage, talk, turn, "aborted_tools");
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    },
  },
  {
    title: "cancels a turn that asks for permission",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Wait.", [[wait], "Never."]));
      const ask = await talk.asked();
      await expectCancelled(stage, talk, turn, "aborted_tools");
      expect((await talk.rows("permission")).map(({ outcome }) => outcome)).toEqual(["cancelled"]);
      await expect(talk.answer(ask, "allow")).rejects.toMatchObject({ code: "ask-ended" });
      expect(stage.has("pid")).toBe(false);
    },
  },
  {
    title: "cancels nothing at rest, and a queued turn without disturbing the one that runs",
    async run(stage) {
      const talk = await stage.session();
      const { sessionId } = talk;
      const first = await talk.start(stage.prompt("Hello.", ["Hello."]));
      await talk.settled(first);
      expect(await talk.runtime.turns.cancel({ sessionId, turnId: first.id })).toMatchObject({
        status: "completed",
      });
      const running = await talk.start(stage.prompt("Speak.", [spoken]));
      await talk.saying("First.");
      const queued = await talk.start(stage.prompt("Then.", ["Never."]));
      await talk.runtime.turns.cancel({ sessionId, turnId: queued.id });
      stage.release("on");
      expect((await talk.settled(running)).outcome).toBe("completed");
      expect(await talk.settled(queued)).toMatchObject({
        outcome: "cancelled",
        reason: "cancelled-while-queued",
      });
      expect(await talk.said()).toEqual(["Hello.", "First.", "And last."]);
    },
  },
  {
    title: "cancels what was steered into the turn with it",
    async run(stage) {
      const talk = await stage.session();
      const { sessionId } = talk;
      const turn = await talk.start(stage.prompt("Speak.", [spoken]));
      await talk.saying("First.");
      await talk.runtime.turns.steer({ sessionId, turnId: turn.id, input: stage.prompt("More.", ["More."]) });
      await expectCancelled(stage, talk, turn, "aborted_streaming");
      expect((await talk.rows("input")).map(({ status }) => status)).toEqual([
        "cancelled",
        "cancelled",
        "answered",
      ]);
    },
  },
  {
    title: "ends the turn and the CLI when the runtime is closed, and when the session is deleted",
    async run(stage) {
      const prompt = stage.prompt("Speak.", [spoken]);
      const [closed, deleted] = [await stage.session(), await stage.session()];
      const turns = await Promise.all([closed.start(prompt), deleted.start(prompt)]);
      for (const talk of [closed, deleted]) await talk.saying("First.");
      await closed.runtime.close();
      await deleted.runtime.sessions.delete(deleted.sessionId);
      expect(stage.claudes()).toEqual([]);
      for (const turn of turns) expect((await closed.settled(turn)).outcome).toBe("cancelled");
      await expect(deleted.runtime.sessions.get(deleted.sessionId)).rejects.toMatchObject({
        code: "session-not-found",
      });
    },
  },
  {
    title: "cancels a subagent that the turn waits for",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const agent = delegate(stage.prompt("Help.", [[wait], "Never."]), "waits");
      const turn = await talk.start(stage.prompt("Begin.", [[agent], "Never either."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await talk.runtime.turns.cancel({ sessionId: talk.sessionId, turnId: turn.id });
      expect(await talk.settled(turn)).toMatchObject({ outcome: "cancelled" });
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
      expect((await talk.rows("task")).map(({ outcome }) => outcome)).toEqual(["cancelled"]);
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
      expect((await talk.run(stage.prompt("Go on.", ["Still here."]))).outcome).toBe("completed");
    },
  },
  {
    title: "cancels a turn while a background agent works, which ends with it",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const agent = delegate(stage.prompt("Help.", [[wait], "Never."]), "goes on");
      await talk.run(stage.prompt("Begin.", [[agent], "Delegated."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      const turn = await talk.start(stage.prompt("Next.", [spoken]));
      await talk.saying("First.");
      await talk.runtime.turns.cancel({ sessionId: talk.sessionId, turnId: turn.id });
      expect((await talk.event("task.ended")).outcome).toBe("cancelled");
      expect((await talk.run(stage.prompt("Go on.", ["Still here."]))).outcome).toBe("completed");
      expect(await talk.runtime.tasks.list(talk.sessionId)).toEqual([]);
    },
  },
];
