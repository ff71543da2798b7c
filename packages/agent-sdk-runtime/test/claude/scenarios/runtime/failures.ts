import type { ModelStep } from "@claxedo/mock-models";
import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";

/** An answer of the API that is an error. */
function error(status: number): { readonly error: { readonly status: number; readonly message: string } } {
  return { error: { status, message: `No luck (${status}).` } };
}

/** A model that gives nothing but this error ends the turn as failed, after so many attempts. */
function fails(status: number, retries: number): Scenario {
  const often = retries === 0 ? "at once" : `after ${retries} retries`;
  return {
    title: `fails with the status ${status} ${often}, and goes on`,
    fake: "failing",
    async run(stage) {
      const talk = await stage.session({}, stage.runtime({ maxRetries: 2 }));
      const result = await talk.run(stage.prompt("Speak.", [error(status)]));
      expect(result).toMatchObject({ outcome: "failed", error: { status } });
      expect(result.error?.message).toContain(String(status));
      const told = (await talk.all("retry.scheduled")).map(({ attempt, max, error: why }) => [
        attempt,
        max,
        why?.status,
      ]);
      expect(told).toEqual(Array.from({ length: retries }, (_, index) => [index + 1, 2, status]));
      expect((await talk.run(stage.prompt("Again.", ["Better."]))).outcome).toBe("completed");
      expect((await talk.said()).at(-1)).toBe("Better.");
    },
  };
}

export const failures: readonly Scenario[] = [
  fails(400, 0),
  fails(401, 2),
  fails(500, 2),
  fails(529, 2),
  {
    title: "completes a turn whose model answers in the end",
    fake: "failing",
    async run(stage) {
      const talk = await stage.session({}, stage.runtime({ maxRetries: 2 }));
      const step: ModelStep = { fail: [error(429)], blocks: [{ text: "At last." }] };
      expect((await talk.run(stage.prompt("Speak.", [step]))).outcome).toBe("completed");
      expect(await talk.all("retry.scheduled")).toMatchObject([{ attempt: 1, error: { status: 429 } }]);
      expect((await talk.rows("notice")).map(({ text }) => text)).toEqual([
        expect.stringContaining("429") as string,
      ]);
      expect(await talk.said()).toEqual(["At last."]);
    },
  },
  {
    title: "leaves a session whose history is refused, and hands over to a new one what was said (B023)",
    fake: "failing",
    async run(stage) {
      stage.expected.push("resume.abandoned");
      const talk = await stage.session();
      await talk.run(stage.prompt("Once.", ["It was once."]));
      const refusal = "messages.3.content.0: `tool_use` ids must be unique";
      const refused = await talk.run(stage.prompt("Go on.", [{ error: { status: 400, message: refusal } }]));
      expect(refused).toMatchObject({ outcome: "failed", error: { code: "history-rejected", status: 400 } });
      expect((await talk.run(stage.prompt("Again.", ["Better."]))).outcome).toBe("completed");
      const [first, second] = await talk.all("harness.started");
      expect(second).toMatchObject({ resumed: false });
      expect(second?.nativeSessionId).not.toBe(first?.nativeSessionId);
      const [handed] = (await talk.all("input.sent")).filter(({ synthetic }) => synthetic);
      expect(JSON.stringify(handed?.parts)).toContain("It was once.");
      const asked = JSON.stringify(stage.asked?.at(-1) ?? "It was once.");
      expect(asked).toContain("It was once.");
      expect((await talk.said()).at(-1)).toBe("Better.");
    },
  },
  {
    title: "leaves a session that has outgrown its context, after two turns",
    fake: "failing",
    async run(stage) {
      stage.expected.push("resume.abandoned");
      const talk = await stage.session();
      const overflow = {
        error: { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
      };
      for (const text of ["Speak.", "Speak again."])
        expect(await talk.run(stage.prompt(text, [overflow, overflow, overflow]))).toMatchObject({
          outcome: "failed",
          error: { code: "context-overflow" },
        });
      expect((await talk.run(stage.prompt("Once more.", ["Better."]))).outcome).toBe("completed");
      expect((await talk.all("harness.started")).map(({ resumed }) => resumed)).toEqual([false, false]);
      expect((await talk.said()).at(-1)).toBe("Better.");
    },
  },
  {
    title: "goes on in the same turn when a stream breaks off",
    async run(stage) {
      const talk = await stage.session();
      const broken = [{ text: "Half of it" }, { delayMs: 50 }, { cut: true }] as const;
      expect((await talk.run(stage.prompt("Speak.", [broken, "And the rest."]))).outcome).toBe("completed");
      expect((await talk.said()).at(-1)).toBe("And the rest.");
      // What the CLI itself puts in, for the model to go on, is not told as the user's.
      const typed = (await talk.rows("input")).filter(({ synthetic }) => synthetic !== true);
      expect(typed.map(({ status }) => status)).toEqual(["answered"]);
      expect(await talk.all("turn.ended")).toHaveLength(1);
    },
  },
  {
    title: "fails a turn whose model cannot be reached",
    fake: "failing",
    async run(stage) {
      const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
      const talk = await stage.session({}, stage.runtime({ maxRetries: 1, env }));
      const { outcome, error: why } = await talk.run(stage.prompt("Speak.", ["Never."]));
      expect(outcome).toBe("failed");
      expect(why?.message).toMatch(/connect/iu);
      expect(await talk.all("retry.scheduled")).toHaveLength(1);
    },
  },
  {
    title: "fails a turn without a login, and says so",
    fake: "failing",
    async run(stage) {
      const talk = await stage.session({}, stage.runtime({ env: { ANTHROPIC_API_KEY: undefined } }));
      const { outcome, error: why } = await talk.run(stage.prompt("Speak.", ["Never."]));
      expect(outcome).toBe("failed");
      expect(why?.message).toContain("/login");
    },
  },
];
