import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { LiveTalk } from "../live-talk.ts";
import type { Scenario } from "../scenario.ts";
import { allowed } from "../stage.ts";
import { spoken, wait } from "../steps.ts";
import { says } from "../wire.ts";

/** Sends while something runs, and waits until the CLI has it. */
async function sendMidTurn(talk: LiveTalk, text: string): Promise<string> {
  const uuid = randomUUID();
  await talk.session.send(text, { uuid });
  await talk.state("it waits", () => talk.session.fate(uuid)?.state === "queued");
  return uuid;
}

/** Which result took each of them up. */
function results(talk: LiveTalk, uuids: readonly string[]): Promise<readonly (number | undefined)[]> {
  return Promise.all(uuids.map(async (uuid) => (await talk.session.settledFate(uuid)).result));
}

export const midTurn: readonly Scenario[] = [
  {
    title: "folds what comes during a tool into the turn",
    async run(stage) {
      const talk = await stage.live({ canUseTool: allowed });
      const first = randomUUID();
      await talk.session.send(stage.prompt("Wait.", [[wait], "Never said."]), { uuid: first });
      await stage.until("the command runs", () => stage.isRunning("pid"));
      const second = await sendMidTurn(talk, stage.prompt("And this.", ["Both at once."]));
      stage.write("go", "");
      expect((await talk.session.awaitResultAfter(0)).result).toBe("Both at once.");
      expect(await results(talk, [first, second])).toEqual([1, 1]);
      expect(talk.session.state.resultsSeen).toBe(1);
    },
  },
  {
    title: "gives what comes during the last text a turn of its own",
    async run(stage) {
      const talk = await stage.live();
      const first = randomUUID();
      await talk.session.send(stage.prompt("Speak.", [spoken]), { uuid: first });
      await talk.message("the first words", says("First."));
      const second = await sendMidTurn(talk, stage.prompt("And this.", ["Its own."]));
      stage.release("on");
      expect((await talk.session.awaitResultAfter(1)).result).toBe("Its own.");
      expect(await results(talk, [first, second])).toEqual([1, 2]);
    },
  },
  {
    title: "gives several that wait one turn together",
    async run(stage) {
      const talk = await stage.live();
      await talk.session.send(stage.prompt("Speak.", [spoken]));
      await talk.message("the first words", says("First."));
      const waiting = [];
      for (const word of ["One.", "Two.", "Three."])
        waiting.push(await sendMidTurn(talk, stage.prompt(word, [`${word} All of them.`])));
      stage.release("on");
      expect((await talk.session.awaitResultAfter(1)).result).toBe("Three. All of them.");
      expect(await results(talk, waiting)).toEqual([2, 2, 2]);
      expect(talk.session.state.resultsSeen).toBe(2);
    },
  },
  {
    title: "lets an urgent message call off the running turn",
    async run(stage) {
      const talk = await stage.live();
      const first = randomUUID();
      await talk.session.send(stage.prompt("Speak.", [spoken]), { uuid: first });
      await talk.message("the first words", says("First."));
      await talk.session.send(stage.prompt("Now this.", ["At once."]), { priority: "now" });
      const stopped = await talk.session.awaitResultAfter(0);
      expect(stopped.terminal_reason).toBe("aborted_streaming");
      expect((await talk.session.awaitResultAfter(1)).result).toBe("At once.");
    },
  },
];
