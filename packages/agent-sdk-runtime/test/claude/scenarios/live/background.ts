import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";
import { allowed } from "../stage.ts";
import { work } from "../steps.ts";
import { says } from "../wire.ts";

export const background: readonly Scenario[] = [
  {
    title: "does not count the result of background work as an answer",
    async run(stage) {
      const talk = await stage.live({ canUseTool: allowed });
      const { session } = talk;
      const first = await session.sendAndAwait(stage.prompt("Begin.", [[work], "Begun.", "It is finished."]));
      expect(first.result).toBe("Begun.");
      stage.write("go", "");
      const state = await talk.state("its own result", ({ backgroundResults }) => backgroundResults > 0);
      expect(state).toMatchObject({ resultsSeen: 1, lastBackgroundResult: { result: "It is finished." } });
      const next = await session.sendAndAwait(stage.prompt("Next.", ["The next."]));
      expect([next.result, session.state.resultsSeen, session.state.backgroundResults]).toEqual([
        "The next.",
        2,
        1,
      ]);
    },
  },
  {
    title: "stops background work by its id",
    async run(stage) {
      const talk = await stage.live({ canUseTool: allowed });
      await talk.session.sendAndAwait(stage.prompt("Begin.", [[work], "Begun."]));
      const started = await talk.message("the work", (message) => message["subtype"] === "task_started");
      await talk.session.stopTask(String(started["task_id"]));
      const ended = await talk.message("its end", (message) => message["subtype"] === "task_notification");
      expect(ended["status"]).toBe("stopped");
      expect(talk.received.some(says("It is finished."))).toBe(false);
    },
  },
];
