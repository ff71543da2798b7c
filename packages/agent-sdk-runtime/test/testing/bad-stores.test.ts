import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../src/errors/agent-runtime-error.ts";
import { memoryDatabase, memoryStore } from "../../src/stores/memory/index.ts";
import type { SessionStore } from "../../src/stores/session-store.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { storeConformance } from "../../src/testing/store-conformance.ts";
import type { StorePlace, StoreSupports } from "../../src/testing/store-subject.ts";
import { replaced } from "./replaced.ts";
import { afterRemoval, type Spoil, spoiltPlace, writing } from "./spoilt-store.ts";

const supports: StoreSupports = { severalHosts: true, readers: true, persistent: true };

let lost = 0;
let fresh = 0;

/** Stores that break one promise each, and the case that must find it. */
const bad: readonly (readonly [id: string, fault: string, spoil: Spoil])[] = [
  [
    "commit-upserts",
    "loses every second commit",
    (real) => ({
      async commit(writes) {
        lost += 1;
        if (lost % 2 === 1) return real.commit(writes);
        return writes.map(({ sessionId }) => ({ sessionId, ok: true, position: lost }));
      },
    }),
  ],
  [
    "own-again",
    "accepts a stale epoch",
    (real) => {
      const epochs = new Map<string, number>();
      return {
        async acquire(sessionId) {
          const owned = await real.acquire(sessionId);
          epochs.set(sessionId, owned.epoch);
          return owned;
        },
        commit: (writes) =>
          real.commit(
            writes.map((write) => ({ ...write, epoch: epochs.get(write.sessionId) ?? write.epoch })),
          ),
      };
    },
  ],
  [
    "commit-repeated-stale",
    "knows a repeated commit again before it looks at the epoch",
    (real) => {
      const done = new Map<string, Awaited<ReturnType<SessionStore["commit"]>>>();
      return {
        async commit(writes) {
          const key = writes.map(({ commitId }) => commitId).join();
          const results = done.get(key) ?? (await real.commit(writes));
          if (results.every(({ ok }) => ok)) done.set(key, results);
          return results;
        },
      };
    },
  ],
  [
    "read-order",
    "orders events as text",
    (real) => ({
      async events(sessionId, options) {
        const events = await real.events(sessionId, options);
        return events.toSorted((a, b) => (String(a.seq) < String(b.seq) ? -1 : 1));
      },
    }),
  ],
  [
    "read-order",
    "lists turns as they were stored",
    (real) => ({ turns: async (id, page) => (await real.turns(id, page)).toReversed() }),
  ],
  [
    "read-pages",
    "keeps one turn a commit",
    writing((write) => ({ ...write, turns: write.turns.slice(0, 1) })),
  ],
  [
    "commit-upserts",
    "forgets turns that ended",
    writing((write) => ({ ...write, turns: write.turns.filter(({ status }) => status !== "completed") })),
  ],
  [
    "commit-conflict",
    "answers a conflict as done",
    (real) => ({
      commit: async (writes) =>
        (await real.commit(writes)).map((result) =>
          !result.ok && result.code === "conflict"
            ? { sessionId: result.sessionId, ok: true, position: 1 }
            : result,
        ),
    }),
  ],
  [
    "commit-gap",
    "takes events that leave a gap",
    writing((write) => ({
      ...write,
      events: write.events.map((event, index) => ({ ...event, seq: write.expectedSeq + 1 + index })),
    })),
  ],
  [
    "commit-gap",
    "writes one session after the other, each for itself",
    (real) => ({
      async commit(writes) {
        const results = [];
        for (const write of writes) results.push(...(await real.commit([write])));
        return results;
      },
    }),
  ],
  [
    "commit-foreign-event",
    "takes events of other sessions",
    writing((write) => ({
      ...write,
      events: write.events.map((event) => ({ ...event, sessionId: write.sessionId })),
    })),
  ],
  [
    "commit-repeated",
    "does not know a repeated commit again",
    writing((write) => ({ ...write, commitId: `${(fresh += 1)}` })),
  ],
  [
    "commit-partly-refused",
    "stops at the first session that it refuses",
    (real) => ({
      async commit(writes) {
        for (const [index, write] of writes.entries()) {
          const [result] = await real.commit([write]);
          if (result?.ok === false)
            return writes.slice(index).map(({ sessionId }) => ({ ...result, sessionId }));
        }
        return real.commit(writes);
      },
    }),
  ],
  [
    "commit-positions",
    "counts positions in each session",
    (real) => ({
      commit: async (writes) =>
        Promise.all(
          (await real.commit(writes)).map(async (result) =>
            result.ok ? { ...result, position: (await real.head(result.sessionId)) ?? 0 } : result,
          ),
        ),
    }),
  ],
  [
    "commit-binding-kept",
    "drops the binding when a commit has none",
    writing((write) => ({ binding: null, ...write })),
  ],
  [
    "commit-all",
    "keeps no snapshots of projections",
    (real) => ({ rows: async (...args) => ({ rows: (await real.rows(...args)).rows }) }),
  ],
  [
    "commit-copies",
    "gives the same objects to all who read",
    (real) => {
      const known = new Map<string, readonly AgentRuntimeEvent[]>();
      return {
        async events(sessionId, options) {
          const found = known.get(sessionId) ?? (await real.events(sessionId, options));
          known.set(sessionId, found);
          return found;
        },
      };
    },
  ],
  [
    "commit-empty",
    "does not store what comes without events",
    (real) => ({ commit: (writes) => real.commit(writes.filter(({ events }) => events.length > 0)) }),
  ],
  [
    "own-elsewhere",
    "takes what a live host has",
    (real, all) => ({
      async acquire(sessionId) {
        for (const other of all)
          for (let epoch = 1; epoch < 9; epoch += 1)
            await other.release(sessionId, epoch).catch(() => undefined);
        return real.acquire(sessionId);
      },
    }),
  ],
  ["own-release", "does not let go", () => ({ release: async () => undefined })],
  [
    "own-stale-release",
    "lets go under any epoch",
    (real) => ({
      async release(sessionId) {
        for (let epoch = 1; epoch < 9; epoch += 1) await real.release(sessionId, epoch);
      },
    }),
  ],
  [
    "own-again",
    "keeps the epoch of a session that it has already",
    (real) => {
      const held = new Map<string, Awaited<ReturnType<SessionStore["acquire"]>>>();
      return {
        async create(session) {
          const owned = await real.create(session);
          held.set(session.id, owned);
          return owned;
        },
        acquire: async (sessionId) => held.get(sessionId) ?? real.acquire(sessionId),
      };
    },
  ],
  [
    "own-create",
    "makes a session twice",
    (real) => ({ create: (session) => real.create(session).catch(() => real.acquire(session.id)) }),
  ],
  [
    "own-missing",
    "makes a session that is not there",
    (real) => ({
      acquire: (id) =>
        real
          .acquire(id)
          .catch(() =>
            real.create({ id, directory: "", harness: { id: "pi", access: "native" }, createdAt: 0 }),
          ),
    }),
  ],
  ["own-unsettled", "lists no session with a running turn", () => ({ unsettled: async () => [] })],
  [
    "own-unsettled",
    "lists every session",
    (real) => ({ unsettled: async () => (await real.sessions()).map(({ id }) => id) }),
  ],
  [
    "own-dispose",
    "keeps its sessions when it is disposed",
    () => ({ [Symbol.asyncDispose]: async () => undefined }),
  ],
  [
    "own-closed",
    "cannot be disposed twice",
    (real) => {
      let closed = false;
      return {
        async [Symbol.asyncDispose]() {
          if (closed) throw new AgentRuntimeError("closed", "It is closed already.");
          closed = true;
          await real[Symbol.asyncDispose]();
        },
      };
    },
  ],
  ["remove-all", "removes nothing", () => ({ remove: async () => undefined })],
  [
    "remove-all",
    "keeps the turns of what was removed",
    afterRemoval({
      turns: async () => [
        { turnId: "t1", inputId: "i", status: "running", seq: { queued: 1 }, time: { queued: 1 } },
      ],
    }),
  ],
  [
    "remove-last-word",
    "keeps nothing of what was removed",
    afterRemoval({ head: async () => undefined, events: async () => [] }),
  ],
  [
    "remove-empty",
    "does not know the head of what was removed",
    afterRemoval({ head: async () => undefined }),
  ],
  [
    "remove-refusals",
    "lets the id of a removed session be used again",
    afterRemoval({ create: async () => ({}) as never }),
  ],
  [
    "remove-refusals",
    "answers a commit to a removed session as fenced",
    (real) => ({
      commit: async (writes) =>
        (await real.commit(writes)).map((result) =>
          !result.ok && result.code === "session-not-found" ? { ...result, code: "fenced" } : result,
        ),
    }),
  ],
  [
    "remove-fenced",
    "removes under any epoch",
    (real) => ({
      async remove(sessionId, epoch) {
        for (const tried of [epoch, 1, 2, 3])
          if (
            await real.remove(sessionId, tried).then(
              () => true,
              () => false,
            )
          )
            return;
        await real.remove(sessionId, epoch);
      },
    }),
  ],
  [
    "remove-elsewhere",
    "remembers what it saw when it was opened",
    (real) => {
      let seen: Awaited<ReturnType<SessionStore["version"]>> | undefined;
      return { version: async () => (seen ??= await real.version()) };
    },
  ],
  [
    "own-never-opened",
    "can only be disposed once it was open",
    (real) => ({
      async [Symbol.asyncDispose]() {
        if (real.hostId !== "") await real[Symbol.asyncDispose]();
      },
    }),
  ],
  [
    "remove-positions",
    "gives positions of removed events again",
    (real) => {
      let removed = 0;
      return {
        async remove(sessionId, epoch) {
          removed = (await real.head(sessionId)) ?? 0;
          await real.remove(sessionId, epoch);
        },
        commit: async (writes) =>
          (await real.commit(writes)).map((result) =>
            result.ok ? { ...result, position: result.position - removed } : result,
          ),
      };
    },
  ],
  [
    "read-pages",
    "ignores where a page starts",
    (real) => ({
      events: (id, page) => real.events(id, page?.limit === undefined ? {} : { limit: page.limit }),
    }),
  ],
  [
    "read-default-page",
    "answers everything when no limit is named",
    (real) => ({ events: (id, page) => real.events(id, { limit: 1_000_000, ...page }) }),
  ],
  [
    "read-sessions",
    "lists sessions oldest first",
    (real) => ({ sessions: async (options) => (await real.sessions(options)).toReversed() }),
  ],
  ["read-turns", "finds no turn by its key", () => ({ turnByKey: async () => undefined })],
  [
    "read-nothing",
    "throws for a session that is not there",
    (real) => ({
      async session(id) {
        const found = await real.session(id);
        if (found === undefined) throw new Error("no such session");
        return found;
      },
    }),
  ],
  ["read-version", "never changes its version", () => ({ version: async () => 1 })],
  ["read-version", "changes its version with every look", () => ({ version: async () => (fresh += 1) })],
  [
    "read-version-others",
    "counts its own commits only",
    (real) => {
      let commits = 0;
      return { commit: (writes) => ((commits += 1), real.commit(writes)), version: async () => commits };
    },
  ],
  ["read-role", "writes as a reader", (real) => ({ open: () => real.open("host") })],
  [
    "read-before-open",
    "opens itself",
    (real) => ({ sessions: async (options) => (await real.open("host"), real.sessions(options)) }),
  ],
  [
    "text-events",
    "makes text well-formed",
    (real) => ({
      events: async (id, page) =>
        (await real.events(id, page)).map((event) =>
          "text" in event ? { ...event, text: event.text.replaceAll(/[\ud800-\udfff]/g, "\ufffd") } : event,
        ),
    }),
  ],
  [
    "text-ids",
    "ends ids at a NUL",
    (real) => ({ create: (session) => real.create({ ...session, id: session.id.split("\0")[0] ?? "" }) }),
  ],
  [
    "text-large",
    "cuts what is too long",
    writing((write) => ({
      ...write,
      events: write.events.map((event) =>
        "text" in event ? { ...event, text: event.text.slice(0, 1_000_000) } : event,
      ),
    })),
  ],
];

function find(id: string, place: () => StorePlace, what: StoreSupports = supports): () => Promise<void> {
  const found = storeConformance({ place, supports: what }).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no case is called ${id}`);
  return found.run;
}

/** What a store in another process may do, and the case that must find it. */
const betweenProcesses: readonly (readonly [id: string, fault: string])[] = [
  ["process-owner", "alone"],
  ["process-race", "alone"],
  ["process-follow", "alone"],
  ["process-killed", "lazy"],
  ["process-unsettled", "lazy"],
  ["process-answered", "lazy"],
];
const SERVER = fileURLToPath(new URL("serve-bad-store.ts", import.meta.url));

describe("the kit finds stores that break a promise", () => {
  test.each(bad)("%s: a store that %s", async (id, _fault, spoil) => {
    await expect(find(id, () => spoiltPlace(spoil))()).rejects.toThrow();
  });

  test.each(["last-all", "remove-lasting"])("%s: a store that forgets when it is closed", async (id) => {
    await expect(find(id, () => ({ store: () => memoryStore() }))()).rejects.toThrow();
  });

  test("last-positions: a store that begins its positions anew when it is opened", async () => {
    const of = memoryDatabase();
    let given = 0;
    const store = (): SessionStore => {
      const real = memoryStore({ of });
      const before = given;
      const commit: SessionStore["commit"] = async (writes) =>
        (await real.commit(writes)).map((result) => {
          if (!result.ok) return result;
          given = Math.max(given, result.position);
          return { ...result, position: result.position - before };
        });
      return replaced(real, { commit });
    };
    await expect(find("last-positions", () => ({ store }))()).rejects.toThrow();
  });

  test.each(betweenProcesses)("%s: a store that works %s between processes", async (id, fault) => {
    const folder = mkdtempSync(join(tmpdir(), "claxedo-bad-"));
    const path = join(folder, "store.db");
    const place = (): StorePlace => ({
      store: () => sqliteStore({ path }),
      program: [process.execPath, "--conditions=@claxedo/source", "--no-warnings", SERVER, fault, path],
      remove: () => rmSync(folder, { recursive: true, force: true }),
    });
    const cases = storeConformance({ place, supports: { multiProcess: true }, patienceMs: 200 });
    await expect(cases.find((one) => one.id === id)?.run()).rejects.toThrow();
  });

  test("has no case that no bad store fails", () => {
    const cases = storeConformance({
      place: () => spoiltPlace(() => ({})),
      supports: { ...supports, multiProcess: true },
    });
    const failed = new Set([...bad, ...betweenProcesses].map(([id]) => id));
    for (const id of ["last-all", "last-positions", "remove-lasting"]) failed.add(id);
    expect(cases.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
  });

  test("and lets a sound one pass", async () => {
    const sound = storeConformance({ place: () => spoiltPlace(() => ({})), supports });
    for (const { run } of sound) await expect(run()).resolves.toBeUndefined();
  });
});
