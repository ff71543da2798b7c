import assert from "node:assert/strict";
import { withDeadline } from "../../base/deadline.ts";
import type { HarnessCase } from "../harness-trial.ts";

/** What a harness does beside its run: input that comes while it works, and work that goes on after it. */
export const taskCases: readonly HarnessCase[] = [
  {
    id: "harness-steer",
    title: "takes up and answers what is sent while it works",
    needs: ["steer"],
    prompt: "brief",
    async check(trial) {
      const talk = await trial.connect();
      const first = await talk.send(trial.prompts.brief ?? "");
      await talk.until("run.started");
      const second = await talk.send(trial.prompts.answer);
      await talk.untilQuiet(first, second);
      const joined = new Set(talk.all("input.joined").map(({ inputId }) => inputId));
      assert.deepEqual(joined, new Set([first, second]));
      assert.deepEqual(new Set(talk.all("input.ended").map(({ outcome }) => outcome)), new Set(["answered"]));
      assert.deepEqual(new Set(talk.all("run.ended").map(({ outcome }) => outcome)), new Set(["completed"]));
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-steer-cancel",
    title: "drops what waits when it is interrupted, and answers the next prompt",
    needs: ["steer"],
    async check(trial) {
      const talk = await trial.connect();
      const first = await talk.send(trial.prompts.work);
      await talk.until("run.started");
      const second = await talk.send(trial.prompts.answer);
      await talk.interrupt();
      await talk.untilQuiet(first, second);
      assert.deepEqual(
        new Set(talk.all("input.ended").map(({ outcome }) => outcome)),
        new Set(["cancelled"]),
      );
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-task-stop",
    title: "goes on in the background after its run, until that is stopped",
    needs: ["tasks"],
    prompt: "background",
    async check(trial) {
      const talk = await trial.connect();
      const run = await talk.run(trial.prompts.background ?? "");
      assert.equal(run.outcome, "completed");
      const [task] = talk.all("task.started");
      assert.ok(task !== undefined, "it told of no task");
      assert.deepEqual(talk.all("task.ended"), []);
      const stopped = talk.connection.stopTask?.(task.taskId);
      assert.ok(stopped !== undefined, "the connection cannot stop a task");
      await withDeadline(stopped, trial.patienceMs, "Stopping the task");
      const ended = await talk.until("task.ended", ({ taskId }) => taskId === task.taskId);
      assert.equal(ended.outcome, "cancelled");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-task-report",
    title: "tells of background work that has ended in a run that no input caused",
    needs: ["tasks"],
    prompt: "report",
    async check(trial) {
      const talk = await trial.connect();
      assert.equal((await talk.run(trial.prompts.report ?? "")).outcome, "completed");
      const own = await talk.until("run.started", ({ origin }) => origin === "harness");
      await talk.until("run.ended", ({ runId }) => runId === own.runId);
      assert.deepEqual(
        talk.all("task.ended").map(({ outcome }) => outcome),
        ["completed"],
      );
      assert.ok(!talk.all("input.joined").some(({ runId }) => runId === own.runId));
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
];
