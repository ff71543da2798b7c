import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import { textsOf } from "../wire.ts";

/** A session that has answered once and is closed: its id, and the uuid of what it was sent. */
async function closedSession(stage: Stage): Promise<{ readonly sessionId: string; readonly uuid: string }> {
  const talk = await stage.live();
  const uuid = randomUUID();
  await talk.session.sendAndAwait(stage.prompt("Once.", ["It was once."]), { uuid });
  await talk.close();
  return { sessionId: await talk.sessionId(), uuid };
}

/** The texts of a session's transcript, of both sides. */
function told(stage: Stage, sessionId: string): readonly string[] {
  return stage.transcript(sessionId).flatMap(textsOf);
}

export const again: readonly Scenario[] = [
  {
    title: "goes on from an earlier session under the same id",
    async run(stage) {
      const { sessionId } = await closedSession(stage);
      const talk = await stage.live({ resume: sessionId });
      const { result } = await talk.session.sendAndAwait(stage.prompt("Again.", ["And again."]));
      expect([result, await talk.sessionId()]).toEqual(["And again.", sessionId]);
      expect(told(stage, sessionId)).toEqual(
        expect.arrayContaining(["It was once.", "And again."]) as unknown,
      );
      const said = JSON.stringify(stage.asked?.at(-1) ?? "It was once.");
      expect(said).toContain("It was once.");
    },
  },
  {
    title: "forks a session, which stays as it was",
    async run(stage) {
      const { sessionId } = await closedSession(stage);
      const before = told(stage, sessionId);
      const talk = await stage.live({ resume: sessionId, fork: true });
      await talk.session.sendAndAwait(stage.prompt("Apart.", ["Apart."]));
      const forked = await talk.sessionId();
      await talk.close();
      expect(forked).not.toBe(sessionId);
      expect(told(stage, sessionId)).toEqual(before);
      expect(told(stage, forked)).toEqual(expect.arrayContaining(["It was once.", "Apart."]) as unknown);
    },
  },
  {
    title: "does not run a uuid that the session has had, in this process or in the next",
    async run(stage) {
      const { sessionId, uuid } = await closedSession(stage);
      const { session } = await stage.live({ resume: sessionId });
      await session.send(stage.prompt("Once.", ["Not twice."]), { uuid });
      expect((await session.settledFate(uuid)).state).toBe("known");
      const second = randomUUID();
      await session.sendAndAwait(stage.prompt("Two.", ["Two."]), { uuid: second });
      expect((await session.settledFate(second)).state).toBe("completed");
      await session.send(stage.prompt("Two.", ["Not twice."]), { uuid: second });
      expect((await session.settledFate(second)).state).toBe("known");
      const { result } = await session.sendAndAwait(stage.prompt("Three.", ["Three."]));
      expect([result, session.state.resultsSeen]).toEqual(["Three.", 2]);
    },
  },
  {
    title: "is refused an id that is in use, and one that nobody has",
    async run(stage) {
      const { sessionId } = await closedSession(stage);
      for (const options of [{ sessionId }, { resume: randomUUID() }])
        await expect(stage.live(options)).rejects.toMatchObject({
          fault: { kind: "exited", code: 1, stderrTail: expect.stringContaining("ession") as string },
        });
    },
  },
];
