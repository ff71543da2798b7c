import assert from "node:assert/strict";
import type { HarnessCase } from "../harness-trial.ts";

const awkward = ["-p --help", "a\nb\r\n\n", "\u2028 👩‍👩‍👧 \u0000", "'; $(exit) `exit` \"", "/", "__proto__"];

/** What a harness does with a prompt. */
export const runCases: readonly HarnessCase[] = [
  {
    id: "harness-answer",
    title: "answers a prompt in a run that completes, and then the next",
    async check(trial) {
      const talk = await trial.connect();
      for (const turn of [1, 2]) {
        assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
        assert.deepEqual(
          talk.all("input.ended").map(({ outcome }) => outcome),
          Array.from({ length: turn }, () => "answered"),
        );
      }
      assert.ok(
        talk.parts.some(({ text }) => text !== ""),
        "no text came",
      );
      assert.equal(talk.all("run.started").length, 2);
      talk.finish();
    },
  },
  {
    id: "harness-input",
    title: "hands over every text as it is, under the id of its input",
    async check(trial) {
      const talk = await trial.connect();
      for (const [index, text] of awkward.entries()) {
        const parts = [{ type: "text", text }] as const;
        talk.take([talk.connection.prompt({ turnId: "turn", inputId: `odd-${index}`, parts })]);
      }
      const sent = talk.all("input.sent").map(({ inputId, parts }) => ({ inputId, parts }));
      assert.deepEqual(
        sent,
        awkward.map((text, index) => ({ inputId: `odd-${index}`, parts: [{ type: "text", text }] })),
      );
    },
  },
  {
    id: "harness-handover",
    title: "hands over what was said before along with a prompt, and tells that as the user said it",
    async check(trial) {
      const talk = await trial.connect();
      const handover = 'Said before:\n{"user":"What is 7 times 6?"}';
      const inputId = await talk.send(trial.prompts.answer, handover);
      await talk.untilQuiet(inputId);
      assert.ok(talk.wrote.includes(JSON.stringify(handover).slice(1, -1)), "it was not handed over");
      const [sent, ...others] = talk.all("input.sent");
      assert.deepEqual([sent?.parts, others], [[{ type: "text", text: trial.prompts.answer }], []]);
      assert.deepEqual(
        talk.all("input.ended").map(({ outcome }) => outcome),
        ["answered"],
      );
      const retold = talk.all("part.ended").some(({ text }) => text.includes(handover));
      assert.ok(!retold, "an echo tells it as what the user said");
      talk.finish();
    },
  },
  {
    id: "harness-makes-frames",
    title: "writes nothing while a frame is only made",
    async check(trial) {
      const talk = await trial.connect();
      const parts = [{ type: "text", text: trial.prompts.answer }] as const;
      talk.connection.prompt({ turnId: "turn-0", inputId: "never-sent", parts });
      talk.connection.interrupt();
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      await talk.close();
      await talk.drain();
      talk.finish();
      assert.equal(talk.all("run.started").length, 1, "a prompt ran that nobody wrote");
    },
  },
  {
    id: "harness-stream",
    title: "tells an answer in pieces that add up to the whole",
    prompt: "stream",
    async check(trial) {
      const talk = await trial.connect();
      assert.equal((await talk.run(trial.prompts.stream ?? "")).outcome, "completed");
      const streamed = talk.parts.find(({ pieces }) => pieces.length > 1);
      assert.ok(streamed !== undefined, "no part came in pieces");
      assert.equal(streamed.pieces.join(""), streamed.text);
      talk.finish();
    },
  },
  {
    id: "harness-fail",
    title: "ends a run that goes wrong as failed, and answers the next prompt",
    prompt: "fail",
    async check(trial) {
      const talk = await trial.connect();
      const failed = await talk.run(trial.prompts.fail ?? "");
      assert.equal(failed.outcome, "failed");
      assert.notEqual(failed.error?.message ?? "", "", "no message says what went wrong");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-garbage",
    title: "makes a diagnostic of what is no frame, and goes on",
    prompt: "garbage",
    async check(trial) {
      const talk = await trial.connect();
      assert.equal((await talk.run(trial.prompts.garbage ?? "")).outcome, "completed");
      assert.ok(talk.all("diagnostic").length > 0, "nothing was said of the garbage");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-cancel",
    title: "stops a run when it is asked to, and answers the next prompt",
    async check(trial) {
      const talk = await trial.connect();
      await talk.send(trial.prompts.work);
      await talk.until("run.started");
      await talk.interrupt();
      assert.equal((await talk.until("run.ended")).outcome, "cancelled");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-interrupt-idle",
    title: "takes an interrupt while nothing runs, and answers the next prompt",
    async check(trial) {
      const talk = await trial.connect();
      await talk.interrupt();
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      await talk.interrupt();
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-apart",
    title: "keeps two connections apart",
    async check(trial) {
      const [one, two] = [await trial.connect(), await trial.connect()];
      await one.send(trial.prompts.work);
      await one.until("run.started");
      const ended = one.until("run.ended");
      ended.catch(() => undefined);
      assert.equal((await two.run(trial.prompts.answer)).outcome, "completed");
      await one.interrupt();
      assert.equal((await ended).outcome, "cancelled");
      assert.deepEqual([one.all("run.ended").length, two.all("run.ended").length], [1, 1]);
      one.finish();
      two.finish();
    },
  },
];
