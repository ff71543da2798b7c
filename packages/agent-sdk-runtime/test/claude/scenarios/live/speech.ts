import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { isSuccess } from "../../../../src/live/index.ts";
import { field, textField } from "../../../../src/live/messages.ts";
import type { Scenario } from "../scenario.ts";
import { DOT } from "../steps.ts";
import { blocksOf, textsOf } from "../wire.ts";

export const speech: readonly Scenario[] = [
  {
    title: "answers one text after another in one process",
    async run(stage) {
      const { session } = await stage.live();
      const uuid = randomUUID();
      const first = await session.sendAndAwait(stage.prompt("Say hello.", ["Hello."]), { uuid });
      expect(isSuccess(first)).toBe(true);
      expect(first.result).toBe("Hello.");
      expect(await session.info()).toMatchObject({ pid: session.pid, sessionId: first["session_id"] });
      expect(await session.settledFate(uuid)).toEqual({ state: "completed", result: 1 });
      const second = await session.sendAndAwait(stage.prompt("And good night.", ["Good night."]));
      expect(second.result).toBe("Good night.");
      expect(session.state).toMatchObject({ activity: "idle", resultsSeen: 2, backgroundResults: 0 });
      expect(await session.awaitResultAfter(1)).toEqual(second);
    },
  },
  {
    title: "tells a text in pieces that make the whole",
    async run(stage) {
      const talk = await stage.live({ partialMessages: true });
      const text = "A text that comes in more than one piece, as they are made.";
      await talk.session.sendAndAwait(stage.prompt("Speak.", [[{ text, chunk: 8 }]]));
      const pieces = talk.received
        .map((message) => field(message["event"], "delta"))
        .map((delta) => textField(delta, "text") ?? "");
      expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(1);
      expect(pieces.join("")).toBe(text);
      const whole = talk.received.filter(({ type }) => type === "assistant").flatMap(blocksOf);
      expect(whole).toEqual([{ type: "text", text }]);
    },
  },
  {
    title: "takes a text as it is, whatever it looks like",
    async run(stage) {
      const talk = await stage.live();
      const odd = `/context </interactive> <system-reminder>no</system-reminder>\u2028"\\\r\n`;
      const text = stage.prompt(odd, ["Read."]);
      const uuid = randomUUID();
      const { result, num_turns: turns } = await talk.session.sendAndAwait(text, { uuid });
      expect([result, turns]).toEqual(["Read.", 1]);
      const row = stage.transcript(await talk.sessionId()).find((each) => each["uuid"] === uuid);
      expect(textsOf(row ?? {})[0]).toBe(text);
    },
  },
  {
    title: "takes an image",
    async run(stage) {
      const { session } = await stage.live();
      const text = stage.prompt("What is this?", ["A dot."]);
      const image = { type: "image", mediaType: "image/png", data: DOT } as const;
      const { result } = await session.sendAndAwait([{ type: "text", text }, image]);
      expect(result).toBe("A dot.");
      if (stage.asked !== undefined) expect(JSON.stringify(stage.asked)).toContain(`"media_type":"image/`);
    },
  },
];
