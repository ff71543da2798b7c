import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { piAdapter } from "@claxedo/agent-event-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { SessionLog } from "../../src/session/session-log.ts";
import { statusOf } from "../../src/session/session-status.ts";
import type { SessionStore } from "../../src/stores/session-store.ts";
import { applyHappening, happening, rebuild, type Happening } from "./session-model.ts";

let folder: string;
let store: SessionStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-tables-"));
  store = sqliteStore({ path: join(folder, "store.db") });
  await store.open("host");
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let sessions = 0;

/** Plays happenings into the store, one commit each. */
async function playStored(happenings: readonly Happening[], startNext: boolean): Promise<string> {
  const id = `session_${(sessions += 1)}`;
  const owned = await store.create({
    id,
    directory: "/",
    harness: { id: "pi", access: "native" },
    createdAt: 1,
  });
  const options = { store, owned, adapter: piAdapter, storeMs: 1_000, now: () => 1_000 };
  const log = await SessionLog.open(options);
  for (const what of happenings) await log.advance((draft) => applyHappening(draft, what), { startNext });
  return id;
}

test("the store's turns, asks, queue, status and last turn are what the log alone adds up to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.boolean(), async (list, startNext) => {
      const id = await playStored(list, startNext);
      const again = rebuild(await store.events(id, { limit: 10_000 }));
      const stored = await store.session(id);
      expect(stored?.state).toEqual(again.state);
      expect(stored?.headSeq).toBe((await store.events(id, { limit: 10_000 })).length);
      const turns = [...again.turns.values()].sort((a, b) => a.seq.queued - b.seq.queued);
      expect(await store.turns(id)).toEqual(turns);
      const asks = [...again.asks.values()].sort((a, b) => a.seq - b.seq);
      expect(await store.asks(id)).toEqual(asks);
      if (stored !== undefined && again.state.announced !== undefined)
        expect(again.state.announced).toBe(statusOf(stored.state));
    }),
    { numRuns: 60 },
  );
}, 60_000);
