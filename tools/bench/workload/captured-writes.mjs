// What a real runtime hands to its store, kept to be committed again and again.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { join } from "node:path";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { piHarness } from "./pi-harness.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").Json} Json */
/** @typedef {import("@claxedo/agent-sdk-runtime").SessionStore} SessionStore */
/** @typedef {import("@claxedo/agent-sdk-runtime").SessionWrite} SessionWrite */

/**
 * Runs one session through a runtime, and answers its commits in order. Every delivery of a prompt's answer
 * becomes one commit, if it says anything.
 * @param {readonly ((id: string) => readonly (readonly Json[])[])[]} prompts the deliveries that answer each prompt
 * @returns {Promise<readonly SessionWrite[]>}
 */
export async function captureWrites(prompts) {
  const folder = scratchFolder();
  /** @type {SessionWrite[]} */
  const writes = [];
  const answers = [...prompts];
  const harness = piHarness((connection, { id }) => {
    for (const payloads of answers.shift()?.(id) ?? []) connection.deliver(payloads);
  });
  const store = watched(sqliteStore({ path: join(folder, "captured.db") }), writes);
  const runtime = createAgentRuntime({ store, harnesses: [harness] });
  try {
    const session = await runtime.sessions.create({ directory: folder, harness: { id: "pi" } });
    for (const _ of prompts)
      await (
        await runtime.turns.start({ sessionId: session.id, input: "look into it" })
      ).settled;
    // Closing the runtime says more, which is not part of it.
    return [...writes];
  } finally {
    await runtime.close();
    removeScratch(folder);
  }
}

/** The store, telling of its commits. @param {SessionStore} store @param {SessionWrite[]} writes */
function watched(store, writes) {
  return new Proxy(store, {
    get(target, name) {
      if (name === "commit")
        return (/** @type {readonly SessionWrite[]} */ some) => {
          writes.push(...some);
          return target.commit(some);
        };
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The same commits as those of another session. @param {readonly SessionWrite[]} writes @param {string} sessionId @param {number} epoch */
export function asSession(writes, sessionId, epoch) {
  return writes.map((write) => ({
    ...write,
    sessionId,
    epoch,
    events: write.events.map((event) => ({ ...event, sessionId })),
    snapshot: { ...write.snapshot, sessionId },
  }));
}
