import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { LiveTalk } from "../live-talk.ts";
import type { Scenario } from "../scenario.ts";
import { allowed, type Stage } from "../stage.ts";
import { spoken, touch, wait } from "../steps.ts";
import { calls, says } from "../wire.ts";

/** The session is at rest after an interrupt, and goes on. */
async function expectStopped(stage: Stage, { session }: LiveTalk, reason: string): Promise<void> {
  const stopped = await session.awaitResultAfter(0);
  expect(stopped).toMatchObject({ is_error: true, terminal_reason: reason });
  expect(session.state.asks).toEqual([]);
  const { result } = await session.sendAndAwait(stage.prompt("Go on.", ["Still here."]));
  expect(result).toBe("Still here.");
  expect(session.state.resultsSeen).toBe(2);
}

export const interrupts: readonly Scenario[] = [
  {
    title: "stops a text, and the session lives on",
    async run(stage) {
      const talk = await stage.live();
      await talk.session.send(stage.prompt("Speak.", [spoken]));
      await talk.message("the first words", says("First."));
      await talk.session.interrupt();
      await expectStopped(stage, talk, "aborted_streaming");
      expect(talk.received.some(says("And last."))).toBe(false);
    },
  },
  {
    title: "stops a tool, and what it runs",
    async run(stage) {
      const talk = await stage.live({ canUseTool: allowed });
      await talk.session.send(stage.prompt("Wait.", [[wait], "Never."]));
      await stage.until("the command runs", () => stage.isRunning("pid"));
      await talk.session.interrupt();
      await expectStopped(stage, talk, "aborted_tools");
      await stage.until("the command is gone", () => !stage.isRunning("pid"));
    },
  },
  {
    title: "withdraws a request that is open",
    async run(stage) {
      const talk = await stage.live({ canUseTool: "manual" });
      await talk.session.send(stage.prompt("Make it.", [[touch("made.txt")], "Made."]));
      const { asks } = await talk.state("a request", (state) => state.asks.length > 0);
      await talk.session.interrupt();
      await expectStopped(stage, talk, "aborted_tools");
      const late = talk.session.answer(asks[0] ?? { type: "none" }, { behavior: "allow" });
      await expect(late).rejects.toMatchObject({ code: "invalid-input" });
      expect(talk.received.some(calls("Bash"))).toBe(true);
      expect(stage.has("made.txt")).toBe(false);
    },
  },
  {
    title: "changes nothing by an interrupt at rest",
    async run(stage) {
      const { session } = await stage.live();
      await session.sendAndAwait(stage.prompt("Hello.", ["Hello."]));
      await session.interrupt();
      const { result } = await session.sendAndAwait(stage.prompt("And?", ["Here."]));
      expect([result, session.state.resultsSeen]).toEqual(["Here.", 2]);
    },
  },
  {
    title: "calls off what waits behind the running turn, where that is wanted",
    async run(stage) {
      const talk = await stage.live();
      const waiting = randomUUID();
      await talk.session.send(stage.prompt("Speak.", [spoken]));
      await talk.message("the first words", says("First."));
      await talk.session.send(stage.prompt("Then this.", ["Never this."]), { uuid: waiting });
      await talk.state("it waits", () => talk.session.fate(waiting)?.state === "queued");
      await talk.session.interrupt({ cancelQueued: true });
      expect((await talk.session.settledFate(waiting)).state).toBe("cancelled");
      await expectStopped(stage, talk, "aborted_streaming");
    },
  },
];
