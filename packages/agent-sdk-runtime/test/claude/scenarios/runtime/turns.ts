import { expect } from "vitest";
import type { Scenario } from "../scenario.ts";
import { DOT, spoken } from "../steps.ts";

export const turns: readonly Scenario[] = [
  {
    title: "answers with a text that comes in pieces, and with what it used",
    async run(stage) {
      const talk = await stage.session();
      const text = "A text that comes in more than one piece, as they are made.";
      const turn = await talk.start(stage.prompt("Speak.", [[{ text, chunk: 8 }]]));
      const result = await talk.settled(turn);
      expect(result).toMatchObject({
        outcome: "completed",
        reason: "harness.completed",
        stopReason: "end_turn",
        usage: { inputTokens: 10, outputTokens: 5 },
      });
      expect(result.costUsd).toBeGreaterThan(0);
      const pieces = (await talk.all("message.delta")).map((delta) => delta.text);
      expect(pieces.length).toBeGreaterThan(1);
      expect([pieces.join(""), ...(await talk.said())]).toEqual([text, text]);
      expect(await talk.rows("input")).toMatchObject([{ status: "answered" }]);
      const session = await talk.runtime.sessions.get(talk.sessionId);
      expect(session).toMatchObject({ status: "idle", lastTurn: { turnId: turn.id, status: "completed" } });
    },
  },
  {
    title: "works its queue in order, in one process",
    async run(stage) {
      const talk = await stage.session();
      const first = await talk.start(stage.prompt("One.", [spoken]));
      await talk.saying("First.");
      const waiting = [];
      for (const word of ["Two.", "Three."]) waiting.push(await talk.start(stage.prompt(word, [word])));
      expect(waiting.map(({ status }) => status)).toEqual(["queued", "queued"]);
      stage.release("on");
      for (const turn of [first, ...waiting]) expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.said()).toEqual(["First.", "And last.", "Two.", "Three."]);
      expect(await talk.all("harness.started")).toHaveLength(1);
    },
  },
  {
    title: "shows the model an image",
    async run(stage) {
      const talk = await stage.session();
      const text = stage.prompt("What is this?", ["A dot."]);
      const input = [
        { type: "text", text },
        { type: "image", mediaType: "image/png", data: DOT },
      ] as const;
      const { sessionId } = talk;
      const { outcome } = await talk.settled(await talk.runtime.turns.start({ sessionId, input }));
      expect([outcome, ...(await talk.said())]).toEqual(["completed", "A dot."]);
      expect(await talk.rows("input")).toMatchObject([{ parts: input }]);
      if (stage.asked !== undefined) expect(JSON.stringify(stage.asked)).toContain(`"media_type":"image/`);
    },
  },
  {
    title: "takes lines of two megabytes",
    async run(stage) {
      const talk = (await stage.session()).allowAll();
      const content = `start\n${"0123456789abcdef".repeat(65_536)}\n`;
      const file = stage.path("big.txt");
      const edit = { file_path: file, old_string: "start", new_string: "begin" };
      const { outcome } = await talk.run(
        stage.prompt("Write.", [
          [{ tool: "Write", input: { file_path: file, content } }],
          [{ tool: "Edit", input: edit }],
          "Written.",
        ]),
      );
      expect([outcome, ...(await talk.said())]).toEqual(["completed", "Written."]);
      expect(stage.read("big.txt")).toBe(content.replace("start", "begin"));
      const changes = (await talk.all("file.changed")).map(({ path, change }) => [path, change]);
      expect(changes).toEqual([
        [file, "added"],
        [file, "modified"],
      ]);
    },
  },
  {
    title: "works several sessions at once, each with a process of its own",
    async run(stage) {
      const runtime = stage.runtime();
      const words = ["One", "Two", "Three", "Four"];
      const talks = await Promise.all(words.map(() => stage.session({}, runtime)));
      for (const round of ["first", "second"])
        await Promise.all(
          talks.map(async (talk, index) => {
            const said = `${words[index]}, the ${round}.`;
            expect((await talk.run(stage.prompt("Speak.", [said]))).outcome).toBe("completed");
            expect((await talk.said()).at(-1)).toBe(said);
          }),
        );
      expect(stage.claudes()).toHaveLength(words.length);
    },
  },
  {
    title: "tells what the model thinks",
    realOnly: "The scripted CLI does not think.",
    async run(stage) {
      const talk = await stage.session();
      expect(
        (await talk.run(stage.prompt("Think.", [[{ thinking: "I weigh it." }, { text: "Weighed." }]])))
          .outcome,
      ).toBe("completed");
      expect((await talk.rows("reasoning")).map(({ text }) => text)).toEqual(["I weigh it."]);
    },
  },
];
