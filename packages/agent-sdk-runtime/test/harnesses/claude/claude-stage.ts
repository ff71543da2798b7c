import { onTestFinished } from "vitest";
import type { RuntimeTalk } from "../../claude/scenarios/runtime-talk.ts";
import { Stage } from "../../claude/scenarios/stage.ts";

/** A stage for a scripted CLI, taken away after the test. `end` checks that nothing is left, open or running. */
export async function stageOf(binary: string): Promise<Stage> {
  const stage = await Stage.open({ kind: "fake", binary: (path) => path }, binary);
  onTestFinished(() => stage.leave());
  return stage;
}

/** How each start of the harness went: the session it named, and whether that was resumed. */
export async function starts(
  talk: RuntimeTalk,
): Promise<readonly (readonly [name?: string | undefined, resumed?: boolean])[]> {
  const events = await talk.all("harness.started");
  return events.map(({ nativeSessionId, resumed }) => [nativeSessionId, resumed]);
}

/** The last words of the main agent. */
export async function lastSaid(talk: RuntimeTalk): Promise<string> {
  return (await talk.said()).at(-1) ?? "";
}

/** What the session is told to be at. */
export async function statusOf({ runtime, sessionId }: RuntimeTalk): Promise<string> {
  return (await runtime.sessions.get(sessionId)).status;
}
