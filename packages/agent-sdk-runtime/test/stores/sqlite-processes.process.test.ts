import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newSession, write } from "../../src/testing/store-samples.ts";
import { openHost, openReader, scratchFolder, scratchProgram } from "./scratch.ts";
import { refused } from "../../src/testing/expectations.ts";

type Own = { hostId: string; pid: number };
type Answer = { code?: string; message?: string; epoch?: number };

describe("several processes on one SQLite store", () => {
  it("refuses a session that another process has, and takes it as soon as that is killed (B107)", async () => {
    const path = join(scratchFolder(), "store.db");
    const owner = scratchProgram("own", path, "a");
    const { hostId, pid } = (await owner.next<Own>())!;
    const store = await openHost(path);
    await refused(store.acquire("a"), "owned-elsewhere", hostId, String(pid));
    expect([await store.unsettled(), (await store.session("a"))?.owner]).toEqual([[], { hostId, pid }]);
    await owner.kill();
    const began = performance.now();
    expect([await store.unsettled(), (await store.session("a"))?.owner]).toEqual([["a"], undefined]);
    const taken = await store.acquire("a");
    expect(performance.now() - began).toBeLessThan(2000);
    expect([taken.lostHost, taken.epoch, taken.session.headSeq]).toEqual([hostId, 2, 1]);
    expect((await store.commit([write("a", 1, 1, { epoch: 2 })]))[0]?.ok).toBe(true);
    expect((await store.events("a")).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("shows a reader the owner while that lives, and none after it was killed", async () => {
    const path = join(scratchFolder(), "store.db");
    const owner = scratchProgram("own", path, "a");
    const { hostId, pid } = (await owner.next<Own>())!;
    const reader = await openReader(path);
    expect((await reader.session("a"))?.owner).toEqual({ hostId, pid });
    await owner.kill();
    expect((await reader.session("a"))?.owner).toBeUndefined();
    expect(await reader.unsettled()).toEqual(["a"]);
  });

  it("gives a free session to exactly one of several processes that try at once", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    const { epoch } = await store.create(newSession("a"));
    await store.release("a", epoch);
    const racers = [1, 2, 3].map(() => scratchProgram("race", path, "a"));
    for (const racer of racers) expect(await racer.next()).toBe("ready");
    for (const racer of racers) racer.tell();
    const answers = await Promise.all(racers.map((racer) => racer.next<Answer>()));
    expect(answers.filter((answer) => answer?.epoch === 2)).toHaveLength(1);
    expect(answers.filter((answer) => answer?.code === "owned-elsewhere")).toHaveLength(2);
    for (const racer of racers) racer.tell();
    await Promise.all(racers.map((racer) => racer.rest()));
  });

  it("makes one store when several processes open a missing one at once", async () => {
    const path = join(scratchFolder(), "new", "store.db");
    const openers = [1, 2, 3, 4].map(() => scratchProgram("open", path, "host"));
    const answers = await Promise.all(openers.map((opener) => opener.next<{ storeId: string }>()));
    const ids = new Set(answers.map((answer) => answer?.storeId));
    expect(ids.size).toBe(1);
    expect([...ids][0]).toMatch(/^[0-9a-f-]{36}$/);
    await Promise.all(openers.map((opener) => opener.rest()));
    expect(readdirSync(`${path}.hosts`)).toEqual(["opening"]);
  });

  it("keeps every answered event without a gap when its process is killed (6 times)", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    const { epoch } = await store.create(newSession("a"));
    await store.release("a", epoch);
    for (let round = 0; round < 6; round += 1) {
      const writer = scratchProgram("append", path, "a");
      const first = (await writer.next<number>())!;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      writer.child.kill("SIGKILL");
      const said = [first, ...(await writer.rest<number>())];
      const head = (await store.head("a"))!;
      // The last commit may have been written and not been answered.
      expect(head - said.at(-1)!).toBeOneOf([0, 1]);
      const events = await store.events("a", { limit: Number.POSITIVE_INFINITY });
      assert.deepEqual(
        events.map(({ seq }) => seq),
        Array.from({ length: head }, (_, index) => index + 1),
      );
    }
  }, 60_000);

  it("takes the files of killed hosts away when it is opened", async () => {
    const path = join(scratchFolder(), "store.db");
    for (const id of ["a", "b"]) {
      const owner = scratchProgram("own", path, id);
      await owner.next();
      await owner.kill();
    }
    const store = await openHost(path);
    expect(readdirSync(`${path}.hosts`).toSorted()).toEqual([store.hostId, "opening"].toSorted());
    expect((await store.acquire("a")).lostHost).toBeTypeOf("string");
  });
});

describe("a locked SQLite store", () => {
  it("lets no lock reach the caller while two write and a third holds the lock for 1 s (B108)", async () => {
    const path = join(scratchFolder(), "store.db");
    const writers = ["a", "b"].map((id) => scratchProgram("readWrite", path, id));
    await Promise.all(writers.map((writer) => writer.next()));
    const locker = scratchProgram("lock", path, "1000");
    expect([await locker.next(), await locker.next()]).toEqual(["locked", "released"]);
    // Both write on, one against the other.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const writer of writers) writer.tell();
    const ends = await Promise.all(
      writers.map((writer) => writer.next<{ head: number; longestMs: number }>()),
    );
    const store = await openReader(path);
    for (const [index, id] of ["a", "b"].entries()) {
      const { head, longestMs } = ends[index]!;
      expect(head).toBeGreaterThan(100);
      expect(longestMs).toBeGreaterThan(500);
      const events = await store.events(id, { limit: Number.POSITIVE_INFINITY });
      assert.deepEqual(
        events.map(({ seq }) => seq),
        Array.from({ length: head }, (_, at) => at + 1),
      );
    }
  });

  it("rejects when the lock outlasts its patience, and the same commits done again lose and double nothing (B108)", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path, { busyTimeoutMs: 200 });
    await store.create(newSession("a"));
    await store.create(newSession("b"));
    const locker = scratchProgram("lock", path);
    await locker.next();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    const commits = [write("a", 0, 1), write("b", 0, 1)].map((one) => [one]);
    const began = performance.now();
    await Promise.all(commits.map((commit) => refused(store.commit(commit), "store-unavailable", path)));
    expect(performance.now() - began).toBeGreaterThan(200);
    clearInterval(ticking);
    // Other work of the process went on meanwhile.
    expect(ticks).toBeGreaterThan(0);
    expect(await store.head("a")).toBe(0);
    locker.tell();
    expect(await locker.next()).toBe("released");
    for (const commit of [...commits, ...commits]) expect((await store.commit(commit))[0]?.ok).toBe(true);
    expect([(await store.events("a")).length, (await store.events("b")).length]).toEqual([1, 1]);
  });

  it("keeps the order of writes that wait", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    await store.create(newSession("a"));
    const locker = scratchProgram("lock", path);
    await locker.next();
    const commits = [0, 1, 2, 3, 4].map((seq) => store.commit([write("a", seq, 1)]));
    await new Promise((resolve) => setTimeout(resolve, 200));
    locker.tell();
    const results = await Promise.all(commits);
    expect(results.flat().map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  });
});
