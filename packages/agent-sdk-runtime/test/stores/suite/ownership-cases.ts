import assert from "node:assert/strict";
import { newSession, textEvent, turn, write } from "../samples.ts";
import type { StoreCase } from "../store-suite.ts";
import { hostOf, refused } from "./expectations.ts";

/** What owning a session promises. */
export const ownershipCases: readonly StoreCase[] = [
  {
    id: "own-create",
    title: "gives a new session to the host that makes it",
    async run(place) {
      const store = await hostOf(place);
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
    async run(place) {
      const [first, second] = [await hostOf(place), await hostOf(place)];
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
    async run(place) {
      const [first, second] = [await hostOf(place), await hostOf(place)];
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
    async run(place) {
      const store = await hostOf(place);
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
    async run(place) {
      const store = await hostOf(place);
      await store.create(newSession("a"));
      await store.acquire("a");
      await store.release("a", 1);
      assert.equal((await store.session("a"))?.owner?.hostId, store.hostId);
    },
  },
  {
    id: "own-missing",
    title: "says that a session is not there",
    async run(place) {
      const store = await hostOf(place);
      await refused(store.acquire("none"), "session-not-found", "none");
      await refused(store.remove("none", 1), "session-not-found", "none");
    },
  },
  {
    id: "own-remove",
    title: "removes a session for good, with all that belongs to it but its last event",
    async run(place) {
      const store = await hostOf(place);
      await store.create(newSession("a"));
      await store.create(newSession("b"));
      await store.commit([write("a", 0, 2, { turns: [turn("t1", 1)] }), write("b", 0, 1)]);
      await refused(store.remove("a", 2), "fenced");
      await store.remove("a", 1);
      assert.deepEqual([await store.session("a"), await store.turns("a")], [undefined, []]);
      assert.deepEqual([await store.head("a"), await store.events("a")], [2, [textEvent("a", 2)]]);
      assert.equal(await store.head("b"), 1);
      await refused(store.create(newSession("a")), "invalid-input", "a");
      const [result] = await store.commit([write("b", 1, 1)]);
      assert.ok(result?.ok === true && result.position > 3);
    },
  },
  {
    id: "own-unsettled",
    title: "lists sessions with a running turn only when no live host has them",
    async run(place) {
      const [first, second] = [await hostOf(place), await hostOf(place)];
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
    async run(place) {
      const [first, second] = [await hostOf(place), await hostOf(place)];
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
];
