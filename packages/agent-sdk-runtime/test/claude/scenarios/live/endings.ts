import { expect } from "vitest";
import type { LiveTalk } from "../live-talk.ts";
import type { Scenario } from "../scenario.ts";
import { allowed, type Stage } from "../stage.ts";
import { wait } from "../steps.ts";
import { textsOf } from "../wire.ts";

/** A session whose command runs, and the wait for its result. */
async function working(
  stage: Stage,
): Promise<{ readonly talk: LiveTalk; readonly result: Promise<unknown> }> {
  const talk = await stage.live({ canUseTool: allowed });
  const result = talk.session.sendAndAwait(stage.prompt("Wait.", [[wait], "Never."]));
  result.catch(() => undefined);
  await stage.until("the command runs", () => stage.isRunning("pid"));
  return { talk, result };
}

/** The session knows the fault, and nothing is left running. */
async function expectEnded(stage: Stage, talk: LiveTalk, fault: object): Promise<void> {
  expect(await talk.session.terminated).toMatchObject({ error: { fault } });
  expect(talk.session.state.activity).toBe("ended");
  await expect(talk.session.send("Too late.")).rejects.toMatchObject({ fault });
  await stage.until("the command is gone", () => !stage.isRunning("pid"));
}

export const endings: readonly Scenario[] = [
  {
    title: "ends with SIGKILL in a tool, and what it left with it; the next process runs nothing by itself",
    async run(stage) {
      const { talk, result } = await working(stage);
      const sessionId = await talk.sessionId();
      process.kill(talk.session.pid, "SIGKILL");
      const fault = { kind: "exited", code: null, signal: "SIGKILL" };
      await expectEnded(stage, talk, fault);
      await expect(result).rejects.toMatchObject({ fault });
      const next = await stage.live({ canUseTool: allowed, resume: sessionId });
      const answer = await next.session.sendAndAwait(stage.prompt("Are you there?", ["I am."]));
      expect([answer.result, next.session.state.resultsSeen]).toEqual(["I am.", 1]);
      expect(stage.isRunning("pid")).toBe(false);
    },
  },
  {
    title: "ends with SIGTERM in a tool",
    async run(stage) {
      const { talk, result } = await working(stage);
      process.kill(talk.session.pid, "SIGTERM");
      const fault = { kind: "exited", code: 143, signal: null };
      await expectEnded(stage, talk, fault);
      await expect(result).rejects.toMatchObject({ fault });
    },
  },
  {
    title: "ends with SIGTERM at rest",
    async run(stage) {
      const { session } = await stage.live();
      process.kill(session.pid, "SIGTERM");
      expect(await session.terminated).toMatchObject({ code: 143, signal: null });
    },
  },
  {
    title: "ends when it is told to, at rest",
    async run(stage) {
      const { session } = await stage.live();
      await session.sendAndAwait(stage.prompt("Hello.", ["Hello."]));
      await session.control({ subtype: "end_session" });
      expect(await session.terminated).toMatchObject({ code: 0, signal: null });
    },
  },
  {
    title: "is closed in the middle of a tool, at once",
    async run(stage) {
      const { talk, result } = await working(stage);
      await talk.close();
      await expectEnded(stage, talk, { kind: "closed" });
      // It stopped its turn and ended by itself: nobody had to kill it.
      expect(await result).toMatchObject({ is_error: true, terminal_reason: "aborted_tools" });
      expect(await talk.session.terminated).toMatchObject({ code: 1, signal: null });
    },
  },
  {
    title: "asks once: one process, one prompt, one result",
    async run(stage) {
      const { messages, result } = await stage.query(stage.prompt("Once.", ["It was once."]));
      expect(result.result).toBe("It was once.");
      expect(messages.flatMap(textsOf)).toEqual(["It was once."]);
      expect(messages.at(-1)).toMatchObject({ type: "result" });
    },
  },
];
