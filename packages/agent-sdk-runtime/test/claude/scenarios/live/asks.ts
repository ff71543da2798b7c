import { expect } from "vitest";
import { field } from "../../../../src/live/messages.ts";
import type { Scenario } from "../scenario.ts";
import { touch } from "../steps.ts";
import { toolResults } from "../wire.ts";

export const asks: readonly Scenario[] = [
  {
    title: "denies what a callback that throws was asked for, in words that the model reads",
    async run(stage) {
      const canUseTool = (): never => {
        throw new Error("The host is confused.");
      };
      const talk = await stage.live({ canUseTool });
      const result = await talk.session.sendAndAwait(
        stage.prompt("Make it.", [[touch("made.txt")], "I may not."]),
      );
      expect(result.result).toBe("I may not.");
      expect(toolResults(talk.received)).toMatchObject([
        { is_error: true, content: expect.stringContaining("The host is confused.") as string },
      ]);
      expect(stage.has("made.txt")).toBe(false);
    },
  },
  {
    title: "keeps requests until they are answered by hand, with another input where that is wanted",
    async run(stage) {
      const talk = await stage.live({ canUseTool: "manual" });
      await talk.session.send(stage.prompt("Make it.", [[touch("made.txt")], "Made."]));
      const { asks } = await talk.state("a request", (state) => state.asks.length > 0);
      const ask = asks[0] ?? { type: "none" };
      expect(field(ask["request"], "input")).toMatchObject({ command: "touch made.txt" });
      const updatedInput = { command: "touch other.txt", description: "Make another" };
      await talk.session.answer(ask, { behavior: "allow", updatedInput });
      expect((await talk.session.awaitResultAfter(0)).result).toBe("Made.");
      expect([stage.has("made.txt"), stage.has("other.txt")]).toEqual([false, true]);
      await expect(talk.session.answer(ask, { behavior: "allow" })).rejects.toMatchObject({
        code: "invalid-input",
      });
    },
  },
  {
    title: "asks nobody and denies where nobody can be asked",
    async run(stage) {
      const { session } = await stage.live();
      const { result } = await session.sendAndAwait(
        stage.prompt("Make it.", [[touch("made.txt")], "Then not."]),
      );
      expect(result).toBe("Then not.");
      expect(stage.has("made.txt")).toBe(false);
    },
  },
];
