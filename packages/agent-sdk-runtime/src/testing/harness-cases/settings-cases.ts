import assert from "node:assert/strict";
import { join } from "node:path";
import { withDeadline } from "../../base/deadline.ts";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { Choice } from "../../harness/harness.ts";
import type { HarnessSettings } from "../../harness/harness-connection.ts";
import { refused } from "../expectations.ts";
import type { HarnessTalk } from "../harness-talk.ts";
import type { HarnessCase, HarnessTrial } from "../harness-trial.ts";

/** What a harness offers, and how it is configured. */
export const settingsCases: readonly HarnessCase[] = [
  {
    id: "harness-offer",
    title: "tells the same models, modes and commands with a connection and without",
    needs: ["offer"],
    async check(trial) {
      const offer = await trial.offer();
      assert.deepEqual(JSON.parse(JSON.stringify(offer)), offer);
      for (const choices of [offer.models, offer.modes, offer.commands]) {
        const ids = idsOf(choices);
        assert.ok(ids.length > 0 && ids.every((id) => id !== ""), "there is nothing to choose");
        assert.equal(new Set(ids).size, ids.length, `twice the same: ${ids.join(", ")}`);
      }
      assert.ok(!idsOf(offer.commands).some((id) => id.startsWith("/")), "a command begins with its slash");
      const { connection } = await trial.connect();
      const told = await withDeadline(
        connection.offer?.() ?? Promise.reject(new Error("The connection has no offer.")),
        trial.patienceMs,
        "Asking the connection",
      );
      assert.deepEqual(
        [idsOf(told.models), idsOf(told.modes), idsOf(told.commands)],
        [idsOf(offer.models), idsOf(offer.modes), idsOf(offer.commands)],
      );
    },
  },
  {
    id: "harness-offer-refused",
    title: "offers nothing in a directory that is not there, and nothing to nobody",
    needs: ["offer"],
    async check(trial) {
      const directory = join(trial.stage.directory, "not", "there");
      await refused(trial.offer({ directory }), "directory-missing", directory);
      await refused(trial.offer({ signal: AbortSignal.abort() }), "closed");
    },
  },
  {
    id: "harness-mode",
    title: "starts in the mode that it is asked for",
    needs: ["offer", "configure"],
    async check(trial) {
      const [, mode] = await twoModes(trial);
      const talk = await trial.connect({ mode });
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      assert.equal(modeOf(talk), mode);
      talk.finish();
    },
  },
  {
    id: "harness-configure",
    title: "changes its mode and its model while it is up, and says so",
    needs: ["offer", "configure"],
    async check(trial) {
      const modes = await twoModes(trial);
      const talk = await trial.connect();
      for (const mode of modes) {
        await configure(trial, talk, { mode });
        while (modeOf(talk) !== mode) assert.ok((await talk.read(`Waiting for ${mode}`)) !== undefined);
      }
      const model = (await trial.offer()).models.at(-1)?.id;
      if (model !== undefined) await configure(trial, talk, { model });
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-configure-refused",
    title: "refuses a mode that it does not have, and goes on as it was",
    needs: ["offer", "configure"],
    async check(trial) {
      const [mode] = await twoModes(trial);
      const talk = await trial.connect();
      await configure(trial, talk, { mode });
      const error: unknown = await configure(trial, talk, { mode: "no such mode" }).then(
        () => assert.fail("took a mode that there is not"),
        (reason: unknown) => reason,
      );
      assert.ok(AgentRuntimeError.is(error), String(error));
      assert.ok(["invalid-input", "harness-failed"].includes(error.code), error.code);
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      assert.equal(modeOf(talk), mode);
      talk.finish();
    },
  },
];

function idsOf(choices: readonly Choice[]): readonly string[] {
  return choices.map(({ id }) => id);
}

async function twoModes(trial: HarnessTrial): Promise<readonly [string, string]> {
  const [one, two] = idsOf((await trial.offer()).modes);
  assert.ok(one !== undefined && two !== undefined, "there are no two modes");
  return [one, two];
}

/** The mode, as it was told last. */
function modeOf(talk: HarnessTalk): string | undefined {
  return talk.all("session.updated").findLast(({ mode }) => mode !== undefined)?.mode;
}

async function configure(
  trial: HarnessTrial,
  { connection }: HarnessTalk,
  change: HarnessSettings,
): Promise<void> {
  assert.ok(connection.configure !== undefined, "the connection cannot be configured");
  await withDeadline(connection.configure(change), trial.patienceMs, "Changing the settings");
}
