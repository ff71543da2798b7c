import assert from "node:assert/strict";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { SessionStore } from "../../stores/session-store.ts";
import { newSession, textEvent, turn, write } from "../store-samples.ts";
import { refused } from "../expectations.ts";
import type { StoreCase } from "../store-trial.ts";

/** The last word of a session. */
function farewell(sessionId: string, seq: number): AgentRuntimeEvent {
  return { v: 1, seq, sessionId, time: 5000, adapter: "pi", type: "session.deleted" };
}

/** Makes the session `a` with everything a session can have, says its last word and removes it. */
async function removed(store: SessionStore): Promise<void> {
  await store.create(newSession("a"));
  const snapshot = { v: 1, projection: "p", stateVersion: 1, seq: 2, state: null } as const;
  await store.commit([
    write("a", 0, 2, {
      turns: [turn("t1", 1, { status: "running", idempotencyKey: "k" })],
      asks: [{ requestId: "q1", kind: "permission", status: "open", seq: 2 }],
      projections: [{ snapshot, rows: [{ rowId: "r1", ordinal: 1, body: null }] }],
    }),
  ]);
  await store.commit([write("a", 2, 1, { events: [farewell("a", 3)] })]);
  await store.remove("a", 1);
}

async function checkGone(store: SessionStore): Promise<void> {
  assert.deepEqual(
    [await store.session("a"), await store.turns("a"), await store.asks("a"), await store.rows("a", "p")],
    [undefined, [], [], { rows: [] }],
  );
  assert.deepEqual(
    [await store.turn("a", "t1"), await store.turnByKey("a", "k"), await store.projection("a", "p")],
    [undefined, undefined, undefined],
  );
  assert.deepEqual(
    [(await store.sessions()).map(({ id }) => id).includes("a"), await store.unsettled()],
    [false, []],
  );
}

async function checkLastWord(store: SessionStore): Promise<void> {
  assert.equal(await store.head("a"), 3);
  assert.deepEqual(await store.events("a"), [farewell("a", 3)]);
  assert.deepEqual(await store.events("a", { after: 2, limit: 5 }), [farewell("a", 3)]);
  assert.deepEqual(await store.events("a", { after: 3 }), []);
}

/** What removing a session promises. */
export const removalCases: readonly StoreCase[] = [
  {
    id: "remove-all",
    title: "removes a session with all that belongs to it, and nothing of others",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("b"));
      await store.commit([write("b", 0, 1, { turns: [turn("t1", 1, { idempotencyKey: "k" })] })]);
      await removed(store);
      await checkGone(store);
      assert.deepEqual([await store.head("b"), (await store.turns("b")).length], [1, 1]);
      assert.deepEqual(await store.events("b"), [textEvent("b", 1)]);
    },
  },
  {
    id: "remove-last-word",
    title: "keeps the last event of a removed session, alone, so that its streams can end with it",
    async check(trial) {
      const store = await trial.host();
      await removed(store);
      await checkLastWord(store);
    },
  },
  {
    id: "remove-refusals",
    title: "lets nobody take, write, or remove again what was removed, or use its id",
    async check(trial) {
      const store = await trial.host();
      await removed(store);
      await refused(store.acquire("a"), "session-not-found", "a");
      await refused(store.remove("a", 1), "session-not-found", "a");
      await store.release("a", 1);
      assert.deepEqual(await store.commit([write("a", 3, 1)]), [
        { sessionId: "a", ok: false, code: "session-not-found" },
      ]);
      await refused(store.create(newSession("a")), "invalid-input", "a");
      await checkLastWord(store);
    },
  },
  {
    id: "remove-fenced",
    title: "removes nothing under an old epoch",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.commit([write("a", 0, 2)]);
      await store.acquire("a");
      await refused(store.remove("a", 1), "fenced", "a");
      assert.equal((await store.events("a")).length, 2);
      await store.remove("a", 2);
      assert.equal(await store.session("a"), undefined);
    },
  },
  {
    id: "remove-empty",
    title: "removes a session in which nothing has happened",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.remove("a", 1);
      assert.deepEqual(
        [await store.session("a"), await store.head("a"), await store.events("a")],
        [undefined, 0, []],
      );
    },
  },
  {
    id: "remove-positions",
    title: "gives no position of a removed event again",
    async check(trial) {
      const store = await trial.host();
      await removed(store);
      await store.create(newSession("b"));
      const [result] = await store.commit([write("b", 0, 1)]);
      assert.ok(result?.ok === true && result.position > 3, JSON.stringify(result));
    },
  },
  {
    id: "remove-elsewhere",
    title: "shows other openings that a session is removed, and its last event",
    needs: ["severalHosts"],
    async check(trial) {
      const [store, other] = [await trial.host(), await trial.host()];
      const before = await other.version();
      await removed(store);
      assert.notEqual(await other.version(), before);
      await checkGone(other);
      await checkLastWord(other);
      await refused(other.acquire("a"), "session-not-found", "a");
      await other.create(newSession("b"));
      await refused(store.remove("b", 1), "fenced", "b");
    },
  },
  {
    id: "remove-lasting",
    title: "remembers a removed session after every opening was closed",
    needs: ["persistent"],
    async check(trial) {
      await removed(await trial.host());
      await trial.close();
      const store = await trial.host();
      await checkGone(store);
      await checkLastWord(store);
    },
  },
];
