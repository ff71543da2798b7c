import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@claxedo/agent-event-runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AgentRuntimeError } from "../../src/errors/agent-runtime-error.ts";
import { memoryDatabase, memoryStore } from "../../src/stores/memory/index.ts";
import type { SessionStore, SessionWrite } from "../../src/stores/session-store.ts";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { newSession, textEvent, turn, write } from "../../src/testing/store-samples.ts";

const SESSIONS = ["a", "b", "__proto__"] as const;
const TURNS = ["t1", "t2", "constructor"] as const;
const KINDS = [
  "good",
  "good",
  "good",
  "good",
  "good",
  "good",
  "stale",
  "ahead",
  "repeated",
  "conflict",
  "gap",
  "foreign",
] as const;

/** A commit as generated: what it holds, and what is wrong with it. */
interface CommitPlan {
  readonly session: (typeof SESSIONS)[number];
  readonly kind: (typeof KINDS)[number];
  readonly texts: readonly string[];
  readonly turns: readonly { readonly id: (typeof TURNS)[number]; readonly running: boolean }[];
  readonly asks: readonly number[];
  readonly rows: readonly { readonly id: number; readonly body: Json }[];
  readonly binding: Json | undefined;
}

type Command =
  | {
      readonly do: "create" | "acquire" | "release" | "remove";
      readonly session: string;
      readonly stale: boolean;
    }
  | { readonly do: "commit"; readonly plans: readonly CommitPlan[] }
  | { readonly do: "read"; readonly session: string; readonly after: number; readonly limit: number }
  | { readonly do: "reopen" };

// Most of it happens in one session, at one host, so that more is done than refused.
const session = fc.constantFrom<(typeof SESSIONS)[number]>("a", "a", "a", ...SESSIONS);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const plan: fc.Arbitrary<CommitPlan> = fc.record({
  session,
  kind: fc.constantFrom(...KINDS),
  texts: fc.array(fc.string({ unit: "binary", maxLength: 8 }), { maxLength: 4 }),
  turns: fc.array(fc.record({ id: fc.constantFrom(...TURNS), running: fc.boolean() }), { maxLength: 2 }),
  asks: fc.array(fc.nat(3), { maxLength: 2 }),
  rows: fc.array(fc.record({ id: fc.nat(5), body: json }), { maxLength: 3 }),
  binding: fc.option(json, { nil: undefined }),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom<"create" | "acquire" | "release" | "remove">(
        "create",
        "create",
        "create",
        "acquire",
        "acquire",
        "release",
        "remove",
      ),
      session,
      stale: fc.nat(4).map((n) => n === 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      plans: fc.array(plan, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      session,
      after: fc.integer({ min: -1, max: 8 }),
      limit: fc.nat(4),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "reopen" as const }) },
);

/** Two hosts of one place, and what was answered about its sessions. */
class Place {
  readonly #store: () => SessionStore;
  readonly hosts: SessionStore[] = [];

  constructor(store: () => SessionStore) {
    this.#store = store;
  }

  async open(index: number): Promise<void> {
    const store = this.#store();
    await store.open("host");
    this.hosts[index] = store;
  }

  async close(): Promise<void> {
    for (const host of this.hosts) await host[Symbol.asyncDispose]();
  }

  /** What an action answers, or the code of its refusal, with hosts by their place in the list. */
  async told(action: (host: SessionStore) => Promise<unknown>, index: number): Promise<unknown> {
    const answer = await action(this.hosts[index]!).catch((error: unknown) =>
      AgentRuntimeError.is(error) ? { refused: error.code } : { refused: "thrown" },
    );
    let text = JSON.stringify(answer ?? null);
    for (const [at, host] of this.hosts.entries()) text = text.replaceAll(host.hostId, `host ${at}`);
    return JSON.parse(text) as unknown;
  }
}

/** What the caller knows of a session: so that good commits are good. */
interface Known {
  epoch: number;
  head: number;
  commits: number;
  last?: SessionWrite;
}

function writeOf(plan: CommitPlan, known: Known): SessionWrite {
  if (plan.kind === "repeated" && known.last !== undefined) return { ...known.last, epoch: known.epoch };
  const base = plan.kind === "conflict" ? known.head + 1 : known.head;
  const seqOf = (index: number): number => base + 1 + index + (plan.kind === "gap" && index > 0 ? 1 : 0);
  const of = plan.kind === "foreign" ? "another" : plan.session;
  const states = { stale: known.epoch - 1, ahead: known.epoch + 1 } as const;
  const seq = known.head + plan.texts.length;
  return write(plan.session, base, 0, {
    epoch: plan.kind === "stale" || plan.kind === "ahead" ? states[plan.kind] : known.epoch,
    commitId: `${plan.session}/${known.commits}`,
    events: plan.texts.map((text, index) => textEvent(of, seqOf(index), text)),
    turns: plan.turns.map(({ id, running }) =>
      turn(id, 1 + TURNS.indexOf(id), { status: running ? "running" : "completed", idempotencyKey: id }),
    ),
    asks: plan.asks.map((n) => ({ requestId: `q${n}`, kind: "question", status: "open", seq: n })),
    projections: [
      {
        snapshot: { v: 1, projection: "p", stateVersion: 1, seq, state: null },
        rows: plan.rows.map(({ id, body }) => ({ rowId: `r${id}`, ordinal: id * 1.5, body })),
      },
    ],
    ...(plan.binding === undefined ? undefined : { binding: plan.binding }),
  });
}

/** Everything that can be read of a place. */
async function everything(store: SessionStore): Promise<unknown> {
  const each = SESSIONS.map(async (id) => [
    await store.session(id),
    await store.head(id),
    await store.events(id, { limit: 1_000 }),
    await store.turns(id),
    await store.asks(id),
    await store.rows(id, "p"),
    await store.projection(id, "p"),
    await Promise.all(
      TURNS.map(async (turnId) => [await store.turn(id, turnId), await store.turnByKey(id, turnId)]),
    ),
  ]);
  return [await Promise.all(each), await store.sessions(), (await store.unsettled()).toSorted()];
}

async function run(
  one: Command,
  index: number,
  places: readonly Place[],
  known: Map<string, Known>,
): Promise<void> {
  const same = async (action: (host: SessionStore) => Promise<unknown>): Promise<unknown> => {
    const [first, second] = [await places[0]!.told(action, index), await places[1]!.told(action, index)];
    expect(second).toEqual(first);
    return first;
  };
  const of = (id: string): Known => known.get(id) ?? { epoch: 1, head: 0, commits: 0 };
  switch (one.do) {
    case "create":
    case "acquire": {
      const created = known.size;
      const action = (host: SessionStore) =>
        one.do === "create"
          ? host.create(newSession(one.session, { createdAt: created }))
          : host.acquire(one.session);
      const answer = (await same(action)) as { epoch?: number };
      if (answer.epoch !== undefined) known.set(one.session, { ...of(one.session), epoch: answer.epoch });
      return;
    }
    case "release":
    case "remove": {
      const epoch = of(one.session).epoch - (one.stale ? 1 : 0);
      await same((host) =>
        one.do === "release" ? host.release(one.session, epoch) : host.remove(one.session, epoch),
      );
      return;
    }
    case "commit": {
      const writes = one.plans.map((each) => writeOf(each, of(each.session)));
      const answer = await same((host) => host.commit(writes));
      for (const write of writes) {
        const accepted =
          Array.isArray(answer) &&
          answer.some((each) => each.ok === true && each.sessionId === write.sessionId);
        const before = of(write.sessionId);
        const head = accepted ? ((await places[0]!.hosts[0]!.head(write.sessionId)) ?? 0) : before.head;
        known.set(write.sessionId, {
          ...before,
          head,
          commits: before.commits + 1,
          ...(accepted ? { last: write } : undefined),
        });
      }
      return;
    }
    case "read": {
      const page = { after: one.after, limit: one.limit };
      await same(async (host) => [
        await host.events(one.session, page),
        await host.turns(one.session, page),
        await host.rows(one.session, "p", page),
        await host.sessions({ limit: one.limit }),
      ]);
      return;
    }
    case "reopen":
      for (const place of places) {
        await place.hosts[index]![Symbol.asyncDispose]();
        await place.open(index);
      }
  }
}

test("the store in memory answers every sequence of calls as the SQLite store does", async () => {
  const turnsOfHosts = fc.tuple(
    command,
    fc.nat(5).map((n) => (n === 5 ? 1 : 0)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(turnsOfHosts, { maxLength: 40, size: "max" }), async (commands) => {
      const folder = mkdtempSync(join(tmpdir(), "claxedo-model-"));
      const of = memoryDatabase();
      const places = [
        new Place(() => sqliteStore({ path: join(folder, "store.db") })),
        new Place(() => memoryStore({ of })),
      ];
      try {
        for (const place of places) for (const index of [0, 1]) await place.open(index);
        const known = new Map<string, Known>();
        await run({ do: "create", session: "a", stale: false }, 0, places, known);
        for (const [one, index] of commands) await run(one, index, places, known);
        const [sqlite, memory] = await Promise.all(places.map((place) => place.told(everything, 1)));
        expect(memory).toEqual(sqlite);
      } finally {
        for (const place of places) await place.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: Number(process.env["CLAXEDO_MODEL_RUNS"] ?? 30) },
  );
}, 120_000);
