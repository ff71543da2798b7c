import assert from "node:assert/strict";
import { newSession, turn, write } from "../store-samples.ts";
import { refused } from "../expectations.ts";
import type { StoreCase } from "../store-trial.ts";

/** What reading promises. */
export const readCases: readonly StoreCase[] = [
  {
    id: "read-pages",
    title: "pages events, turns and rows by their numbers",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const rows = [1, 2, 3].map((ordinal) => ({ rowId: `r${ordinal}`, ordinal, body: ordinal }));
      const snapshot = { v: 1, projection: "p", stateVersion: 1, seq: 5, state: null } as const;
      const turns = [turn("t1", 1), turn("t2", 3), turn("t3", 5)];
      await store.commit([write("a", 0, 5, { turns, projections: [{ snapshot, rows }] })]);
      const seqs = (await store.events("a", { after: 2, limit: 2 })).map(({ seq }) => seq);
      assert.deepEqual(seqs, [3, 4]);
      assert.deepEqual(await store.turns("a", { after: 1, limit: 1 }), [turns[1]]);
      const page = await store.rows("a", "p", { after: 1, limit: 5 });
      assert.deepEqual(page, { snapshot, rows: rows.slice(1) });
      assert.deepEqual(
        [await store.projection("a", "p"), await store.projection("a", "q")],
        [snapshot, undefined],
      );
      assert.deepEqual(await store.events("a", { after: 5 }), []);
      assert.deepEqual(await store.events("a", { limit: 0 }), []);
      await refused(store.events("a", { limit: Number.NaN }), "invalid-input");
    },
  },
  {
    id: "read-default-page",
    title: "answers 500 at most unless more is asked for",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.commit([write("a", 0, 501)]);
      assert.equal((await store.events("a")).length, 500);
      assert.equal((await store.events("a", { limit: Number.POSITIVE_INFINITY })).length, 501);
    },
  },
  {
    id: "read-sessions",
    title: "lists sessions by creation, latest first",
    async check(trial) {
      const store = await trial.host();
      for (const [id, createdAt] of [
        ["b", 2],
        ["c", 3],
        ["a", 1],
        ["d", 3],
      ] as const) {
        await store.create(newSession(id, { createdAt }));
      }
      assert.deepEqual(
        (await store.sessions()).map(({ id }) => id),
        ["d", "c", "b", "a"],
      );
      assert.equal((await store.sessions({ limit: 2 })).length, 2);
    },
  },
  {
    id: "read-turns",
    title: "finds a turn by id and by key, in its own session only",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      await store.create(newSession("b"));
      const keyed = turn("t1", 1, { idempotencyKey: "k" });
      await store.commit([write("a", 0, 1, { turns: [keyed] })]);
      assert.deepEqual([await store.turn("a", "t1"), await store.turnByKey("a", "k")], [keyed, keyed]);
      assert.deepEqual(
        [await store.turn("b", "t1"), await store.turnByKey("b", "k")],
        [undefined, undefined],
      );
    },
  },
  {
    id: "read-order",
    title:
      "lists events by seq, turns by acceptance, asks by request and rows by ordinal, however they were stored",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const ask = (requestId: string, seq: number) =>
        ({ requestId, kind: "question", status: "open", seq }) as const;
      const snapshot = { v: 1, projection: "p", stateVersion: 1, seq: 12, state: null } as const;
      const row = (ordinal: number) => ({ rowId: `r${ordinal}`, ordinal, body: null });
      await store.commit([
        write("a", 0, 12, {
          turns: [turn("t2", 10), turn("t1", 9)],
          asks: [ask("q2", 11), ask("q1", 2)],
          projections: [{ snapshot, rows: [row(10), row(9), row(2.5)] }],
        }),
      ]);
      const { rows } = await store.rows("a", "p");
      assert.deepEqual(
        [
          (await store.events("a")).map(({ seq }) => seq),
          (await store.turns("a")).map(({ turnId }) => turnId),
          (await store.asks("a")).map(({ requestId }) => requestId),
          rows.map(({ ordinal }) => ordinal),
        ],
        [Array.from({ length: 12 }, (_, index) => index + 1), ["t1", "t2"], ["q1", "q2"], [2.5, 9, 10]],
      );
    },
  },
  {
    id: "read-nothing",
    title: "answers with nothing for a session that is not there",
    async check(trial) {
      const store = await trial.host();
      assert.deepEqual(
        [
          await store.session("none"),
          await store.head("none"),
          await store.events("none"),
          await store.turns("none"),
          await store.asks("none"),
          await store.rows("none", "p"),
          await store.turn("none", "t"),
          await store.turnByKey("none", "k"),
          await store.projection("none", "p"),
          await store.unsettled(),
        ],
        [undefined, undefined, [], [], [], { rows: [] }, undefined, undefined, undefined, []],
      );
    },
  },
  {
    id: "read-version",
    title: "changes its version with every commit, and with nothing else",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const before = await store.version();
      await store.events("a");
      assert.equal(await store.version(), before);
      await store.commit([write("a", 0, 1)]);
      assert.notEqual(await store.version(), before);
    },
  },
  {
    id: "read-version-others",
    title: "changes its version with the commits of other openings",
    needs: ["severalHosts"],
    async check(trial) {
      const [first, second] = [await trial.host(), await trial.host()];
      await first.create(newSession("a"));
      const before = await second.version();
      assert.equal(await second.version(), before);
      await first.commit([write("a", 0, 1)]);
      assert.notEqual(await second.version(), before);
      assert.equal((await second.events("a")).length, 1);
    },
  },
  {
    id: "read-role",
    title: "writes nothing as a reader, and follows what others write",
    needs: ["readers"],
    async check(trial) {
      const host = await trial.host();
      await host.create(newSession("a"));
      const reader = trial.store();
      await reader.open("reader");
      assert.equal(reader.storeId, host.storeId);
      await refused(reader.create(newSession("b")), "read-only");
      await refused(reader.acquire("a"), "read-only");
      await refused(reader.commit([write("a", 0, 1)]), "read-only");
      await refused(reader.remove("a", 1), "read-only");
      const before = await reader.version();
      await host.commit([write("a", 0, 2)]);
      assert.notEqual(await reader.version(), before);
      assert.equal((await reader.events("a")).length, 2);
      assert.equal((await reader.session("a"))?.owner?.hostId, host.hostId);
    },
  },
  {
    id: "read-before-open",
    title: "refuses every call before it is opened, and a second role",
    async check(trial) {
      const store = trial.store();
      await refused(store.sessions(), "invalid-input", "open");
      await store.open("host");
      await store.open("host");
      await refused(store.open("reader"), "invalid-input");
    },
  },
];
