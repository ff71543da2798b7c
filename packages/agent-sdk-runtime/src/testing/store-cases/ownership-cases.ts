import assert from "node:assert/strict";
import { newSession, turn, write } from "../store-samples.ts";
import { refused } from "../expectations.ts";
import type { StoreCase } from "../store-trial.ts";

/** What owning a session promises. */
export const ownershipCases: readonly StoreCase[] = [
  {
    id: "own-create",
    title: "gives a new session to the host that makes it",
    async check(trial) {
      const store = await trial.host();
      const made = newSession("a", { model: "m", title: "Title" });
      const { session, epoch, lostHost, binding, snapshot } = await store.create(made);
      assert.deepEqual([epoch, lostHost, binding, snapshot.seq], [1, undefined, undefined, 0]);
      assert.equal(session.owner?.hostId, store.hostId);
      const { owner: _, state, ...facts } = session;
      assert.deepEqual(facts, { ...made, updatedAt: made.createdAt, headSeq: 0 });
      assert.deepEqual([state.queue, state.turn], [[], undefined]);
      await refused(store.create(made), "invalid-input", "a");
    },
  },
  {
    id: "own-elsewhere",
    title: "refuses a session that a live host has, and names that host",
    needs: ["severalHosts"],
    async check(trial) {
      const [first, second] = [await trial.host(), await trial.host()];
      await first.create(newSession("a"));
      await refused(second.acquire("a"), "owned-elsewhere", first.hostId, String(process.pid));
      assert.deepEqual((await second.session("a"))?.owner, { hostId: first.hostId, pid: process.pid });
      assert.deepEqual(await second.commit([write("a", 0, 1)]), [
        { sessionId: "a", ok: false, code: "fenced" },
      ]);
    },
  },
  {
    id: "own-release",
    title: "hands a session on once it is released, with a higher epoch and no loss",
    needs: ["severalHosts"],
    async check(trial) {
      const [first, second] = [await trial.host(), await trial.host()];
      const { epoch } = await first.create(newSession("a"));
      await first.release("a", epoch);
      assert.equal((await first.session("a"))?.owner, undefined);
      const taken = await second.acquire("a");
      assert.ok(taken.epoch > epoch);
      assert.equal(taken.lostHost, undefined);
      assert.deepEqual(await first.commit([write("a", 0, 1)]), [
        { sessionId: "a", ok: false, code: "fenced" },
      ]);
    },
  },
  {
    id: "own-again",
    title: "raises the epoch when a host takes its own session again",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const again = await store.acquire("a");
      assert.deepEqual([again.epoch, again.lostHost], [2, undefined]);
      const [stale, current] = [write("a", 0, 1), write("a", 0, 1, { epoch: 2 })];
      assert.deepEqual(await store.commit([stale]), [{ sessionId: "a", ok: false, code: "fenced" }]);
      assert.equal((await store.commit([current]))[0]?.ok, true);
    },
  },
  {
    id: "own-stale-release",
    title: "ignores a release under an old epoch",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.acquire("a");
      await store.release("a", 1);
      assert.equal((await store.session("a"))?.owner?.hostId, store.hostId);
    },
  },
  {
    id: "own-missing",
    title: "says that a session is not there",
    async check(trial) {
      const store = await trial.host();
      await refused(store.acquire("none"), "session-not-found", "none");
      await refused(store.remove("none", 1), "session-not-found", "none");
      await store.release("none", 1);
    },
  },
  {
    id: "own-unsettled",
    title: "lists sessions with a running turn only when no live host has them",
    needs: ["severalHosts"],
    async check(trial) {
      const [first, second] = [await trial.host(), await trial.host()];
      for (const id of ["running", "queued", "ended"]) await first.create(newSession(id));
      await first.commit([
        write("running", 0, 1, { turns: [turn("t1", 1, { status: "running" })] }),
        write("queued", 0, 1, { turns: [turn("t1", 1)] }),
        write("ended", 0, 1, { turns: [turn("t1", 1, { status: "failed" })] }),
      ]);
      assert.deepEqual([await first.unsettled(), await second.unsettled()], [[], []]);
      await first[Symbol.asyncDispose]();
      assert.deepEqual(await second.unsettled(), ["running"]);
      await second.acquire("running");
      assert.deepEqual(await second.unsettled(), []);
    },
  },
  {
    id: "own-dispose",
    title: "lets everything go when it is disposed, twice as well as once, and is closed then",
    needs: ["severalHosts"],
    async check(trial) {
      const [first, second] = [await trial.host(), await trial.host()];
      await first.create(newSession("a"));
      await Promise.all([first[Symbol.asyncDispose](), first[Symbol.asyncDispose]()]);
      await first[Symbol.asyncDispose]();
      await refused(first.session("a"), "closed");
      await refused(first.commit([]), "closed");
      await refused(first.open("host"), "closed");
      const taken = await second.acquire("a");
      assert.equal(taken.lostHost, undefined);
    },
  },
  {
    id: "own-closed",
    title: "is closed once it is disposed, twice as well as once",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()]);
      await store[Symbol.asyncDispose]();
      await refused(store.create(newSession("b")), "closed");
      await refused(store.events("a"), "closed");
      await refused(store.version(), "closed");
    },
  },
  {
    id: "own-never-opened",
    title: "can be disposed without having been opened",
    async check(trial) {
      const store = trial.store();
      await store[Symbol.asyncDispose]();
      await refused(store.open("host"), "closed");
    },
  },
];
