// Serves a store that does not do between processes what it says: `node serve-bad-store.ts FAULT PATH`.
import { setTimeout as delay } from "node:timers/promises";
import { memoryStore } from "../../src/stores/memory/index.ts";
import type { SessionStore, SessionWrite } from "../../src/stores/session-store.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { serveStore } from "../../src/testing/served-store.ts";
import { replaced } from "./replaced.ts";

/** Answers first and writes later, as if nothing could happen in between. */
function lazy(real: SessionStore): SessionStore {
  const later = async (writes: readonly SessionWrite[]): Promise<void> => {
    await delay(60_000, undefined, { ref: false });
    await real.commit(writes);
  };
  return replaced(real, {
    async commit(writes) {
      void later(writes);
      return writes.map(({ sessionId }) => ({ sessionId, ok: true, position: 1 }));
    },
  });
}

const [fault = "", path = ""] = process.argv.slice(2);
await serveStore(fault === "alone" ? memoryStore() : lazy(sqliteStore({ path })));
