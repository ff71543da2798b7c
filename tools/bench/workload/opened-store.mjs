// The SQLite store, open for writing.
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

/** @param {string} path */
export async function openedStore(path) {
  const store = sqliteStore({ path });
  await store.open("host");
  return store;
}
