import assert from "node:assert/strict";
import { newSession, textEvent, turn, write } from "../store-samples.ts";
import type { StoreCase } from "../store-trial.ts";

const awkward = [
  "\u2028\u2029",
  "a\ud800b",
  "\udc00",
  "a\u0000b",
  "\u0000",
  "'; drop table events; --",
  "👩‍👩‍👧",
];

/** What storing text promises. */
export const textCases: readonly StoreCase[] = [
  {
    id: "text-events",
    title: "gives every text back as it came: line separators, lone surrogates, NUL",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const events = awkward.map((text, index) => textEvent("a", index + 1, text));
      await store.commit([write("a", 0, 0, { events })]);
      assert.deepEqual(await store.events("a"), events);
    },
  },
  {
    id: "text-ids",
    title: "tells ids apart that differ in one odd character, and gives them back",
    async check(trial) {
      const store = await trial.host();
      const ids = [...awkward, "a\ud801b", '\u0000"a\\ud800b"', "__proto__", "constructor", ""];
      for (const id of ids) await store.create(newSession(id, { title: id, directory: id, model: id }));
      assert.deepEqual(
        (await store.sessions()).map(({ id, title, directory, model }) => [id, title, directory, model]),
        ids.toReversed().map((id) => [id, id, id, id]),
      );
      const turns = ids.map((id, index) => turn(id, index + 1, { idempotencyKey: id }));
      const snapshot = { v: 1, projection: "\ud800", stateVersion: 1, seq: 1, state: null } as const;
      const rows = ids.map((rowId, index) => ({ rowId, ordinal: index, body: rowId }));
      await store.commit([write("a\ud800b", 0, 1, { turns, projections: [{ snapshot, rows }] })]);
      for (const [index, id] of ids.entries()) {
        assert.deepEqual(await store.turn("a\ud800b", id), turns[index]);
        assert.deepEqual(await store.turnByKey("a\ud800b", id), turns[index]);
      }
      assert.deepEqual(await store.rows("a\ud800b", "\ud800"), { snapshot, rows });
      assert.deepEqual(await store.rows("a\ud800b", "\ud801"), { rows: [] });
    },
  },
  {
    id: "text-large",
    title: "stores a prompt of 5 MB",
    async check(trial) {
      const store = await trial.host();
      await store.create(newSession("a"));
      const text = "é\ud800x".repeat(1_300_000);
      await store.commit([write("a", 0, 0, { events: [textEvent("a", 1, text)] })]);
      assert.deepEqual(await store.events("a"), [textEvent("a", 1, text)]);
    },
  },
];
