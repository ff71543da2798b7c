import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { type AgentRuntime, type SessionStore, createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;
const open: AgentRuntime[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-deletion-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.close()));
  await rm(folder, { recursive: true, force: true });
});

function place(kind: string): () => SessionStore {
  const of = memoryDatabase();
  return kind === "memory"
    ? () => memoryStore({ of })
    : () => sqliteStore({ path: join(folder, "store.db") });
}

function host(store: () => SessionStore, role: "host" | "reader" = "host"): AgentRuntime {
  const runtime = createAgentRuntime({ store: store(), harnesses: [scriptedHarness()], role });
  open.push(runtime);
  return runtime;
}

/** A session with more events than a stream reads at once. */
async function longSession(runtime: AgentRuntime): Promise<{ readonly id: string; readonly seq: number }> {
  const { id } = await runtime.sessions.create({ directory: folder, harness: { id: "pi" } });
  await (
    await runtime.turns.start({ sessionId: id, input: "flood 1200" })
  ).settled;
  const { seq } = await runtime.sessions.get(id);
  expect(seq).toBeGreaterThan(1200);
  return { id, seq };
}

async function all(events: AsyncIterable<AgentRuntimeEvent>): Promise<readonly AgentRuntimeEvent[]> {
  const seen: AgentRuntimeEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe.each(["memory", "sqlite"])("deleting a session (%s)", (kind) => {
  test("ends every stream with session.deleted, however far behind it is, here and in other hosts", async () => {
    const store = place(kind);
    const runtime = host(store);
    const session = await longSession(runtime);
    const readers = [runtime, host(store), host(store, "reader")];
    const slow = readers.map((reader) =>
      reader.events.subscribe({ sessionId: session.id })[Symbol.asyncIterator](),
    );
    for (const stream of slow) expect((await stream.next()).value).toMatchObject({ seq: 1 });
    const quick = readers.map((reader) =>
      all(reader.events.subscribe({ sessionId: session.id, after: session.seq })),
    );
    await runtime.sessions.delete(session.id);
    const last = { type: "session.deleted", seq: session.seq + 2 };
    for (const stream of slow) {
      const rest = await all({ [Symbol.asyncIterator]: () => stream });
      expect(rest.at(-1)).toMatchObject(last);
      expect(rest.slice(0, -1).map(({ seq }) => seq)).toEqual(rest.slice(0, -1).map((_, index) => index + 2));
      expect(rest.length).toBeLessThan(session.seq);
    }
    for (const seen of await Promise.all(quick)) expect(seen.at(-1)).toMatchObject(last);
  });

  test("is told to those who come later, and to nobody twice", async () => {
    const store = place(kind);
    const runtime = host(store);
    const session = await longSession(runtime);
    await runtime.sessions.delete(session.id);
    // The end of the connection comes before it.
    const last = { type: "session.deleted", seq: session.seq + 2 };
    for (const reader of [runtime, host(store, "reader")]) {
      const from = (after: number) => all(reader.events.subscribe({ sessionId: session.id, after }));
      expect(await from(0)).toMatchObject([last]);
      expect(await from(last.seq - 1)).toMatchObject([last]);
      expect(await from(last.seq)).toEqual([]);
      await expect(from(last.seq + 1)).rejects.toMatchObject({ code: "cursor-ahead" });
      await expect(reader.sessions.get(session.id)).rejects.toMatchObject({ code: "session-not-found" });
      await expect(reader.events.list(session.id)).rejects.toMatchObject({ code: "session-not-found" });
      expect(await reader.sessions.list()).toEqual([]);
    }
  });
});
