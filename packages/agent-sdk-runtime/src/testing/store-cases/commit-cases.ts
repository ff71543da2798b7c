import assert from "node:assert/strict";
import { newSession, textEvent, turn, write } from "../store-samples.ts";
import type { StoreCase } from "../store-trial.ts";

/** What a commit promises. */
export const commitCases: readonly StoreCase[] = [
  {
    id: "commit-all",
    title: "stores everything that a commit holds",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const full = write("a", 0, 3, {
        turns: [turn("t1", 1)],
        asks: [{ requestId: "q1", kind: "permission", status: "open", seq: 2 }],
        binding: { file: "x" },
        projections: [
          {
            snapshot: { v: 1, projection: "p", stateVersion: 1, seq: 3, state: { open: [] } },
            rows: [{ rowId: "r1", ordinal: 1, body: { text: "one" } }],
          },
        ],
      });
      assert.deepEqual(await store.commit([full]), [{ sessionId: "a", ok: true, position: 3 }]);
      assert.deepEqual(await store.events("a"), full.events);
      assert.deepEqual(await store.turns("a"), full.turns);
      assert.deepEqual(await store.asks("a"), full.asks);
      assert.deepEqual(await store.rows("a", "p"), full.projections[0]);
      const { session, snapshot, binding } = await store.acquire("a");
      assert.deepEqual([session.headSeq, session.updatedAt, session.state], [3, full.updatedAt, full.state]);
      assert.deepEqual([snapshot, binding], [full.snapshot, full.binding]);
    },
  },
  {
    id: "commit-repeated",
    title: "answers a repeated commit as done, and adds nothing",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const once = write("a", 0, 2);
      const first = await store.commit([once]);
      assert.deepEqual(await store.commit([once]), first);
      assert.equal((await store.events("a")).length, 2);
    },
  },
  {
    id: "commit-repeated-stale",
    title: "does not answer a repeated commit of an older epoch as done",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const once = write("a", 0, 2);
      await store.commit([once]);
      await store.acquire("a");
      assert.deepEqual(await store.commit([once]), [{ sessionId: "a", ok: false, code: "fenced" }]);
      assert.equal((await store.commit([{ ...once, epoch: 2 }]))[0]?.ok, true);
      assert.equal(await store.head("a"), 2);
    },
  },
  {
    id: "commit-conflict",
    title: "refuses a commit that builds on another head",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.commit([write("a", 0, 2)]);
      const stale = write("a", 1, 1);
      assert.deepEqual(await store.commit([stale]), [{ sessionId: "a", ok: false, code: "conflict" }]);
      assert.equal(await store.head("a"), 2);
    },
  },
  {
    id: "commit-partly-refused",
    title: "names refused sessions and writes the others",
    async check(trial) {
      const store = await trial.host();
      for (const id of ["a", "b", "c"]) await store.create(newSession(id));
      const answer = await store.commit([
        write("a", 0, 1),
        write("b", 0, 1, { epoch: 7 }),
        write("none", 0, 1),
        write("c", 5, 1),
      ]);
      assert.deepEqual(answer, [
        { sessionId: "a", ok: true, position: 1 },
        { sessionId: "b", ok: false, code: "fenced" },
        { sessionId: "none", ok: false, code: "session-not-found" },
        { sessionId: "c", ok: false, code: "conflict" },
      ]);
      assert.deepEqual([await store.head("a"), await store.head("b"), await store.head("c")], [1, 0, 0]);
    },
  },
  {
    id: "commit-gap",
    title: "throws on events that leave a gap, and writes nothing of the commit",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.create(newSession("b"));
      const gap = write("b", 0, 1, { events: [textEvent("b", 1), textEvent("b", 3)] });
      await assert.rejects(store.commit([write("a", 0, 1), gap]), /event 3 of b/);
      assert.deepEqual([await store.head("a"), await store.head("b")], [0, 0]);
    },
  },
  {
    id: "commit-positions",
    title: "gives every event a position that rises over all sessions",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.create(newSession("b"));
      const position = async (sessionId: string, expectedSeq: number, count: number) => {
        const [result] = await store.commit([write(sessionId, expectedSeq, count)]);
        return result?.ok === true ? result.position : Number.NaN;
      };
      const positions = [
        await position("a", 0, 2),
        await position("b", 0, 1),
        await position("a", 2, 1),
        await position("a", 3, 0),
      ];
      assert.deepEqual(positions, [2, 3, 4, 4]);
    },
  },
  {
    id: "commit-binding-kept",
    title: "keeps the binding when a commit has none",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.commit([write("a", 0, 1, { binding: { native: "n1" } })]);
      await store.commit([write("a", 1, 1)]);
      assert.deepEqual((await store.acquire("a")).binding, { native: "n1" });
    },
  },
  {
    id: "commit-upserts",
    title: "replaces turns, asks and rows that are stored again",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const projected = (seq: number, text: string) => ({
        snapshot: { v: 1, projection: "p", stateVersion: 1, seq, state: null } as const,
        rows: [{ rowId: "r1", ordinal: seq, body: text }],
      });
      const ask = { requestId: "q1", kind: "question", seq: 1 } as const;
      const ended = turn("t1", 1, { status: "completed", reason: "harness.end" });
      await store.commit([
        write("a", 0, 1, {
          turns: [turn("t1", 1)],
          asks: [{ ...ask, status: "open" }],
          projections: [projected(1, "one")],
        }),
      ]);
      await store.commit([
        write("a", 1, 1, {
          turns: [ended],
          asks: [{ ...ask, status: "ended", outcome: "answered" }],
          projections: [projected(2, "two")],
        }),
      ]);
      assert.deepEqual(await store.turns("a"), [ended]);
      assert.deepEqual(await store.asks("a"), [{ ...ask, status: "ended", outcome: "answered" }]);
      assert.deepEqual(await store.rows("a", "p"), projected(2, "two"));
    },
  },
  {
    id: "commit-empty",
    title: "takes a commit of nothing, and one without events",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      assert.deepEqual(await store.commit([]), []);
      await store.commit([write("a", 0, 1)]);
      const bare = write("a", 1, 0, { turns: [turn("t1", 1)], updatedAt: 9000 });
      assert.equal((await store.commit([bare]))[0]?.ok, true);
      assert.deepEqual([await store.head("a"), await store.turns("a")], [1, bare.turns]);
      assert.equal((await store.session("a"))?.updatedAt, 9000);
    },
  },
  {
    id: "commit-copies",
    title: "shares no value with its callers",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const given = write("a", 0, 1, { binding: { list: [1] } });
      const wanted = structuredClone(given.events);
      await store.commit([given]);
      Object.assign(given.events[0] ?? {}, { time: 0 });
      Object.assign(given.binding ?? {}, { list: [] });
      Object.assign((await store.events("a"))[0] ?? {}, { time: 0 });
      Object.assign((await store.session("a"))?.state ?? {}, { queue: ["x"] });
      assert.deepEqual(await store.events("a"), wanted);
      const { session, binding } = await store.acquire("a");
      assert.deepEqual([session.state.queue, binding], [[], { list: [1] }]);
    },
  },
  {
    id: "commit-foreign-event",
    title: "throws on an event of another session, and writes nothing of the commit",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.create(newSession("b"));
      const foreign = write("b", 0, 1, { events: [textEvent("a", 1)] });
      await assert.rejects(store.commit([write("a", 0, 1), foreign]));
      assert.deepEqual([await store.head("a"), await store.head("b")], [0, 0]);
    },
  },
];
