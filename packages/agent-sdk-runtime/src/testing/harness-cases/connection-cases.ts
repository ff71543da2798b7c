import assert from "node:assert/strict";
import { join } from "node:path";
import type { Json } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../../base/deadline.ts";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { HarnessCapabilities } from "../../harness/harness.ts";
import { refused } from "../expectations.ts";
import type { HarnessCase } from "../harness-trial.ts";

/** What another harness, another version, or a damaged store may have left. */
const strange: readonly Json[] = [
  null,
  [],
  {},
  7,
  "",
  "x",
  { sessionFile: "/nowhere/at/all", sessionId: "gone", cursor: null },
  { sessionId: 7, threadId: {}, resume: "--help" },
  JSON.parse('{"__proto__":{"sessionId":"x"}}') as Json,
];

/** How a harness is started, and how a connection ends. */
export const connectionCases: readonly HarnessCase[] = [
  {
    id: "harness-manifest",
    title: "says what it is and can do, and that it is well",
    async check({ stage: { harness }, supports }) {
      assert.ok(harness.id !== "" && harness.access.length > 0 && harness.adapter.id !== "");
      for (const [what, can] of Object.entries(harness.capabilities)) {
        const supported = supports[what as keyof HarnessCapabilities] === true;
        assert.equal(can, supported, `${what} is otherwise than in its capabilities`);
      }
      const health = await harness.health();
      assert.ok(health.ok, health.message ?? "it is not well, and says nothing of the remedy");
    },
  },
  {
    id: "harness-connect",
    title: "starts afresh without a binding, and has one to store that is JSON",
    async check(trial) {
      const { connection } = await trial.connect();
      assert.deepEqual([connection.resumed, connection.exit], [false, undefined]);
      assert.notEqual(connection.nativeSessionId, "");
      const binding = connection.binding();
      assert.deepEqual(JSON.parse(JSON.stringify(binding)), binding);
    },
  },
  {
    id: "harness-directory",
    title: "refuses a directory that is not there",
    async check(trial) {
      const directory = join(trial.stage.directory, "not", "there");
      await refused(trial.connect({ directory }), "directory-missing", directory);
    },
  },
  {
    id: "harness-model",
    title: "refuses a model that it does not have, and names it",
    needs: ["models"],
    async check(trial) {
      await refused(trial.connect({ model: "nobody/nothing" }), "model-unknown", "nobody/nothing");
    },
  },
  {
    id: "harness-aborted",
    title: "gives no connection to nobody",
    async check(trial) {
      const signal = AbortSignal.abort();
      await refused(trial.connect({ signal }), "closed");
    },
  },
  {
    id: "harness-strange-binding",
    title: "takes a binding that it cannot use for none, or refuses it with a code",
    async check(trial) {
      for (const binding of strange) {
        const talk = await trial.connect({ binding }).catch((error: unknown) => {
          assert.ok(AgentRuntimeError.is(error), `${JSON.stringify(binding)}: ${String(error)}`);
        });
        if (talk === undefined) continue;
        assert.equal(talk.connection.resumed, false, `resumed from ${JSON.stringify(binding)}`);
        await talk.close(0);
      }
    },
  },
  {
    id: "harness-strange-history",
    title: "has nothing to tell of a binding that it cannot use",
    async check(trial) {
      for (const binding of strange) {
        assert.deepEqual(await trial.stage.harness.history(binding), [], JSON.stringify(binding));
      }
    },
  },
  {
    id: "harness-resume",
    title: "goes on from its binding, under its own name of the session",
    needs: ["resume"],
    async check(trial) {
      const first = await trial.connect();
      await first.run(trial.prompts.answer);
      const binding = JSON.parse(JSON.stringify(first.connection.binding())) as Json;
      await first.close();
      const second = await trial.connect({ binding });
      assert.equal(second.connection.resumed, true);
      assert.equal(second.connection.nativeSessionId, first.connection.nativeSessionId);
      assert.equal((await second.run(trial.prompts.answer)).outcome, "completed");
      second.finish();
    },
  },
  {
    id: "harness-history",
    title: "tells what it did since the prompt that the binding was stored with",
    needs: ["history"],
    async check(trial) {
      const talk = await trial.connect();
      await talk.run(trial.prompts.answer);
      const binding = talk.connection.binding();
      await talk.run(trial.prompts.answer);
      await talk.close();
      const frames = await trial.stage.harness.history(binding);
      assert.ok(frames.length > 0, "nothing is told");
      for (const { channel, dir } of frames) assert.deepEqual([channel, dir], ["history", "received"]);
      assert.deepEqual(JSON.parse(JSON.stringify(frames)), frames);
    },
  },
  {
    id: "harness-death",
    title: "is over when its program dies, and everything it started then ends",
    prompt: "death",
    async check(trial) {
      const talk = await trial.connect();
      await talk.send(trial.prompts.death ?? "");
      await talk.drain();
      talk.finish();
      await assert.rejects(talk.send(trial.prompts.answer));
      await talk.close();
    },
  },
  {
    id: "harness-close-twice",
    title: "is closed twice as well as once, and at the same time",
    async check(trial) {
      const talk = await trial.connect();
      await Promise.all([talk.close(), talk.close()]);
      await talk.close(0);
      await withDeadline(
        Promise.resolve(talk.connection[Symbol.asyncDispose]()),
        trial.patienceMs,
        "Disposing of the connection",
      );
    },
  },
  {
    id: "harness-closed",
    title: "reads to its end and writes nothing more once it is closed",
    async check(trial) {
      const talk = await trial.connect();
      await talk.run(trial.prompts.answer);
      await talk.close();
      await talk.drain();
      await refused(talk.send(trial.prompts.answer), "closed");
      assert.equal(await talk.read("Reading after the end"), undefined);
    },
  },
  {
    id: "harness-close-reading",
    title: "ends a read that waits when it is closed",
    async check(trial) {
      const talk = await trial.connect();
      const reading = talk.drain();
      await talk.close();
      await reading;
    },
  },
  {
    id: "harness-close-working",
    title: "is closed in the middle of a run, and everything it started then ends",
    async check(trial) {
      const talk = await trial.connect();
      await talk.send(trial.prompts.work);
      await talk.until("run.started");
      await talk.close();
      await talk.drain();
      talk.finish();
    },
  },
  {
    id: "harness-close-unread",
    title: "is closed while nobody reads",
    async check(trial) {
      const talk = await trial.connect();
      await talk.send(trial.prompts.work);
      await talk.close();
      await talk.drain();
      talk.finish();
    },
  },
];
