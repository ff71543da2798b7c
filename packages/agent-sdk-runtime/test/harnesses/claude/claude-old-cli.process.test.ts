import { expect, onTestFinished, test } from "vitest";
import { claude } from "../../../src/harnesses/index.ts";
import { createAgentRuntime } from "../../../src/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { ClaudeLab, program } from "./claude-lab.ts";

test("a CLI that does not tell fates: an input that it took into its answer ends once it rests, and the turn with it", async () => {
  const lab = new ClaudeLab();
  onTestFinished(() => lab.remove());
  await using runtime = createAgentRuntime({
    store: memoryStore(),
    harnesses: [claude({ binary: program("old-merging"), env: { CLAUDE_CONFIG_DIR: lab.configDir } })],
  });
  const { id: sessionId } = await runtime.sessions.create({
    directory: lab.directory,
    harness: { id: "claude" },
  });
  const turn = await runtime.turns.start({ sessionId, input: "wait" });
  for await (const event of runtime.events.subscribe({ sessionId })) if (event.type === "part.ended") break;
  expect(await runtime.turns.steer({ sessionId, turnId: turn.id, input: "more" })).toMatchObject({
    outcome: "sent",
  });
  expect(await turn.settled).toMatchObject({ outcome: "completed" });
  const events = await runtime.events.list(sessionId);
  expect(events.filter(({ type }) => type === "run.ended")).toHaveLength(1);
  const outcomes = events.flatMap((event) => (event.type === "input.ended" ? [event.outcome] : []));
  expect(outcomes).toEqual(["answered", "unobserved"]);
  const told = events.filter((event) => event.type === "diagnostic").map(({ code }) => code);
  expect(told).toEqual(["claude.no-lifecycle"]);
});
