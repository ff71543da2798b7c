import assert from "node:assert/strict";
import type { RemoteStore } from "../remote-store.ts";
import { newSession, turn, write } from "../store-samples.ts";
import { refused } from "../expectations.ts";
import type { StoreCase } from "../store-trial.ts";

/** What several processes on one place, and the death of one of them, change and do not change. */
export const processCases: readonly StoreCase[] = [
  {
    id: "process-owner",
    title: "refuses what a host in another process has, and names that process",
    needs: ["multiProcess"],
    async check(trial) {
      const [other, store] = [await trial.elsewhere(), await trial.host()];
      await other.call("create", newSession("a"));
      const { hostId = "", pid } = other;
      assert.deepEqual((await store.session("a"))?.owner, { hostId, pid });
      await refused(store.acquire("a"), "owned-elsewhere", hostId, String(pid));
      const [result] = await store.commit([write("a", 0, 1)]);
      assert.deepEqual(result, { sessionId: "a", ok: false, code: "fenced" });
    },
  },
  {
    id: "process-killed",
    title: "frees what a killed process had, names the lost host, and has lost nothing",
    needs: ["multiProcess"],
    async check(trial) {
      const [other, store] = [await trial.elsewhere(), await trial.host()];
      await other.call("create", newSession("a"));
      const running = write("a", 0, 2, { turns: [turn("t1", 1, { status: "running" })] });
      await other.call("commit", [running]);
      assert.deepEqual(await store.unsettled(), []);
      await other.kill();
      const taken = await trial.eventually(() => store.acquire("a"));
      assert.deepEqual([taken.lostHost, taken.epoch, taken.session.headSeq], [other.hostId, 2, 2]);
      assert.deepEqual([await store.events("a"), await store.turns("a")], [running.events, running.turns]);
      assert.equal((await store.commit([write("a", 2, 1, { epoch: 2 })]))[0]?.ok, true);
    },
  },
  {
    id: "process-unsettled",
    title: "lists sessions that a process had not let go once it is killed, with a running turn or without",
    needs: ["multiProcess"],
    async check(trial) {
      const [other, store] = [await trial.elsewhere(), await trial.host()];
      for (const id of ["a", "b", "c"]) await other.call("create", newSession(id));
      await other.call("commit", [write("a", 0, 1, { turns: [turn("t1", 1, { status: "running" })] })]);
      await other.call("release", "c", 1);
      await other.kill();
      await trial.eventually(async () => assert.deepEqual([...(await store.unsettled())].sort(), ["a", "b"]));
      assert.deepEqual(
        (await store.turns("a")).map(({ status }) => status),
        ["running"],
      );
      assert.equal((await store.session("a"))?.owner, undefined);
    },
  },
  {
    id: "process-answered",
    title: "keeps every answered event, without a gap, when its process is killed in the middle",
    needs: ["multiProcess"],
    async check(trial) {
      const [other, store] = [await trial.elsewhere(), await trial.host()];
      await other.call("create", newSession("a"));
      const answered = await appendUntilKilled(other, 200);
      await trial.eventually(() => store.acquire("a"));
      const head = (await store.head("a")) ?? Number.NaN;
      assert.ok(head >= answered, `${answered} were answered and ${head} are there`);
      const seqs = (await store.events("a", { limit: head + 1 })).map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        Array.from({ length: head }, (_, index) => index + 1),
      );
    },
  },
  {
    id: "process-race",
    title: "gives a free session to exactly one of several processes that try at once",
    needs: ["multiProcess"],
    async check(trial) {
      const store = await trial.host();
      const { epoch } = await store.create(newSession("a"));
      await store.release("a", epoch);
      const racers = [await trial.elsewhere(), await trial.elsewhere(), await trial.elsewhere()];
      const ends = await Promise.allSettled(racers.map((racer) => racer.call("acquire", "a")));
      const won = ends.filter((end) => end.status === "fulfilled").map((end) => end.value.epoch);
      assert.deepEqual(won, [2]);
      const lost = ends.filter((end) => end.status === "rejected");
      for (const end of lost) await refused(Promise.reject(end.reason as Error), "owned-elsewhere");
    },
  },
  {
    id: "process-follow",
    title: "shows what another process commits, and that there is something new",
    needs: ["multiProcess"],
    async check(trial) {
      const [other, store] = [await trial.elsewhere(), await trial.host()];
      await other.call("create", newSession("a"));
      const before = await store.version();
      await other.call("commit", [write("a", 0, 2)]);
      assert.notEqual(await store.version(), before);
      assert.equal((await store.events("a")).length, 2);
      await other.call("remove", "a", 1);
      assert.deepEqual([await store.session("a"), await store.head("a")], [undefined, 2]);
      assert.deepEqual(
        (await store.events("a")).map(({ seq }) => seq),
        [2],
      );
    },
  },
];

/** Appends one event a commit, and kills the process some time after so many; answers how many were answered. */
async function appendUntilKilled(other: RemoteStore, count: number): Promise<number> {
  let answered = 0;
  for (let seq = 0; ; seq += 1) {
    if (seq === count) setTimeout(() => void other.kill(), 5);
    try {
      await other.call("commit", [write("a", seq, 1)]);
    } catch {
      return answered;
    }
    answered = seq + 1;
  }
}
