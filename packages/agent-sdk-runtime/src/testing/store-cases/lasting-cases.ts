import assert from "node:assert/strict";
import { newSession, turn, write } from "../store-samples.ts";
import type { StoreCase } from "../store-trial.ts";

/** What outlives every opening. */
export const lastingCases: readonly StoreCase[] = [
  {
    id: "last-all",
    title: "gives back everything after every opening was closed",
    needs: ["persistent"],
    async check(trial) {
      const first = await trial.host();
      await first.create(newSession("a", { title: "Title", model: "m" }));
      const full = write("a", 0, 3, {
        turns: [turn("t1", 1, { idempotencyKey: "k" })],
        asks: [{ requestId: "q1", kind: "permission", status: "open", seq: 2 }],
        binding: { file: "x" },
        projections: [
          {
            snapshot: { v: 1, projection: "p", stateVersion: 1, seq: 3, state: { open: [] } },
            rows: [{ rowId: "r1", ordinal: 1, body: { text: "one" } }],
          },
        ],
      });
      const answer = await first.commit([full]);
      const [storeId, before] = [first.storeId, await first.session("a")];
      await trial.close();
      const store = await trial.host();
      assert.equal(store.storeId, storeId);
      const { owner: _, ...facts } = before ?? {};
      assert.deepEqual(await store.session("a"), facts);
      assert.deepEqual(
        [await store.events("a"), await store.turns("a"), await store.asks("a")],
        [full.events, full.turns, full.asks],
      );
      assert.deepEqual(
        [await store.turnByKey("a", "k"), await store.rows("a", "p")],
        [full.turns[0], full.projections[0]],
      );
      const { epoch, snapshot, binding, lostHost } = await store.acquire("a");
      assert.deepEqual([epoch, snapshot, binding, lostHost], [2, full.snapshot, full.binding, undefined]);
      assert.deepEqual(await store.commit([{ ...full, epoch }]), answer);
    },
  },
  {
    id: "last-positions",
    title: "goes on with its positions after every opening was closed",
    needs: ["persistent"],
    async check(trial) {
      const first = await trial.host();
      await first.create(newSession("a"));
      await first.commit([write("a", 0, 3)]);
      await trial.close();
      const store = await trial.host();
      const { epoch } = await store.acquire("a");
      const [result] = await store.commit([write("a", 3, 1, { epoch })]);
      assert.deepEqual(result, { sessionId: "a", ok: true, position: 4 });
    },
  },
];
