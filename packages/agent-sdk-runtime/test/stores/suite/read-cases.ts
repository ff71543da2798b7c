import assert from "node:assert/strict";
import { newSession, turn, write } from "../samples.ts";
import type { StoreCase } from "../store-suite.ts";
import { hostOf, refused } from "./expectations.ts";

/** What reading promises. */
export const readCases: readonly StoreCase[] = [
  {
    id: "read-pages",
    title: "pages events, turns and rows by their numbers",
    async run(place) {
      const store = await hostOf(place);
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
    async run(place) {
      const store = await hostOf(place);
      await store.create(newSession("a"));
      await store.commit([write("a", 0, 501)]);
      assert.equal((await store.events("a")).length, 500);
      assert.equal((await store.events("a", { limit: Number.POSITIVE_INFINITY })).length, 501);
    },
  },
  {
    id: "read-sessions",
    title: "lists sessions by creation, latest first",
    async run(place) {
      const store = await hostOf(place);
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
    async run(place) {
      const store = await hostOf(place);
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
    id: "read-nothing",
    title: "answers with nothing for a session that is not there",
    async run(place) {
      const store = await hostOf(place);
      assert.deepEqual(
        [
          await store.session("none"),
          await store.head("none"),
          await store.events("none"),
          await store.turns("none"),
          await store.asks("none"),
          await store.rows("none", "p"),
          await store.turn("none", "t"),
        ],
        [undefined, undefined, [], [], [], { rows: [] }, undefined],
      );
    },
  },
  {
    id: "read-version",
    title: "changes its version with every commit, of this opening and of others",
    async run(place) {
      const [first, second] = [await hostOf(place), await hostOf(place)];
      await first.create(newSession("a"));
      const versions = async () => [await first.version(), await second.version()] as const;
      const before = await versions();
      assert.deepEqual(await versions(), before);
      await first.commit([write("a", 0, 1)]);
      const after = await versions();
      assert.ok(after[0] !== before[0] && after[1] !== before[1]);
    },
  },
  {
    id: "read-role",
    title: "writes nothing as a reader, and follows what others write",
    async run(place) {
      const host = await hostOf(place);
      await host.create(newSession("a"));
      const reader = place.store();
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
    async run(place) {
      const store = place.store();
      await refused(store.sessions(), "invalid-input", "open");
      await store.open("host");
      await store.open("host");
      await refused(store.open("reader"), "invalid-input");
    },
  },
];
