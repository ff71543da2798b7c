import { expect } from "vitest";
import type { RuntimeTalk } from "../runtime-talk.ts";
import type { Scenario } from "../scenario.ts";
import { spoken, wait } from "../steps.ts";
import type { Turn } from "../../../../src/index.ts";

function steer(talk: RuntimeTalk, turn: Turn, input: string): Promise<unknown> {
  return talk.runtime.turns.steer({ sessionId: talk.sessionId, turnId: turn.id, input });
}

export const steering: readonly Scenario[] = [
  {
    title: "folds what is steered into a turn with a tool",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const turn = await talk.start(stage.prompt("Wait.", [[wait], "Never said."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      expect(await steer(talk, turn, stage.prompt("And this.", ["Both at once."]))).toMatchObject({
        outcome: "sent",
      });
      await talk.caughtUp();
      stage.write("go", "");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["Both at once."]);
      expect(await talk.all("run.ended")).toHaveLength(1);
      expect((await talk.rows("input")).map(({ status }) => status)).toEqual(["answered", "answered"]);
    },
  },
  {
    title: "keeps the turn open for what is steered into its last text and gets a run of its own",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Speak.", [spoken]));
      await talk.saying("First.");
      await steer(talk, turn, stage.prompt("And this.", ["Its own."]));
      await talk.caughtUp();
      stage.release("on");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["First.", "And last.", "Its own."]);
      expect(await talk.all("run.ended")).toHaveLength(2);
      expect(await talk.all("turn.ended")).toHaveLength(1);
    },
  },
  {
    title: "gives a burst of steered input one run together",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Speak.", [spoken]));
      await talk.saying("First.");
      const words = ["One.", "Two.", "Three."];
      for (const word of words) await steer(talk, turn, stage.prompt(word, [`${word} All of them.`]));
      await talk.caughtUp();
      stage.release("on");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["First.", "And last.", "Three. All of them."]);
      expect(await talk.all("run.ended")).toHaveLength(2);
      expect((await talk.rows("input")).map(({ status }) => status)).toEqual(Array(4).fill("answered"));
    },
  },
  {
    title: "misses a turn that has ended",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Hello.", ["Hello."]));
      await talk.settled(turn);
      expect(await steer(talk, turn, stage.prompt("And this.", ["Never."]))).toEqual({ outcome: "missed" });
      expect(await talk.rows("input")).toHaveLength(1);
    },
  },
  {
    title: "works commands in line with prompts",
    async run(stage) {
      const talk = await stage.session();
      const { sessionId } = talk;
      const first = await talk.start(stage.prompt("One.", [spoken]));
      await talk.saying("First.");
      const clear = await talk.runtime.commands.run({ sessionId, command: "/clear" });
      const last = await talk.start(stage.prompt("Two.", ["Second."]));
      const steered = await talk.runtime.turns.steer({
        sessionId,
        turnId: first.id,
        input: stage.prompt("/context is a word.", ["A word."]),
      });
      expect(steered.outcome).toBe("sent");
      await talk.caughtUp();
      stage.release("on");
      for (const turn of [first, clear, last]) expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["First.", "And last.", "A word.", "Second."]);
      expect((await talk.rows("input")).map(({ status }) => status)).toEqual([
        "answered",
        "handled",
        "answered",
        "answered",
      ]);
    },
  },
];
