// A durable commit through the store, against a plain transaction with the same event rows.
import { join } from "node:path";
import { compare } from "../measure/compare.mjs";
import { cpuTime } from "../measure/cpu-time.mjs";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { duration } from "../measure/statistics.mjs";
import { againstFloor } from "../row.mjs";
import { asSession, captureWrites } from "../workload/captured-writes.mjs";
import { openedStore } from "../workload/opened-store.mjs";
import {
  answerEnd,
  answerStart,
  prose,
  runEnd,
  runStart,
  textDelta,
  wholeRun,
} from "../workload/pi-frames.mjs";
import { rawLog } from "../workload/raw-log.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").Json} Json */
/** @typedef {import("@claxedo/agent-sdk-runtime").SessionWrite} SessionWrite */
/** @typedef {import("../settings.mjs").Settings} Settings */
/** @typedef {import("../row.mjs").Row} Row */

/** @param {Settings} settings @returns {Promise<readonly Row[]>} */
export async function appendRows({ quick }) {
  const rounds = quick ? 3 : 9;
  const single = answerWrites(await captureWrites([(id) => longAnswer(id, 400, 1, 50)]));
  const fifty = answerWrites(await captureWrites([(id) => longAnswer(id, 100, 50, 50)]));
  const mixed = await captureWrites(
    Array.from({ length: 4 }, () => (id) => wholeRun(id, "look into it").map((frame) => [frame])),
  );
  const large = answerWrites(await captureWrites([(id) => longAnswer(id, 4_000, 1, 50)]));
  const events = mixed.reduce((sum, write) => sum + write.events.length, 0);
  return [
    await append("1 event a commit", single, { most: 3 }, rounds),
    await append("50 events a commit", fifty, { most: 1.5 }, rounds),
    await append(
      `a frame a commit, runs with tools (${(events / mixed.length).toFixed(1)} events)`,
      part(mixed, 5),
      undefined,
      rounds,
    ),
    await flat(large, quick ? 3 : 5),
  ];
}

/** @param {string} id @param {number} commits @param {number} each deltas in a commit @param {number} length of a delta @returns {readonly (readonly Json[])[]} */
function longAnswer(id, commits, each, length) {
  const delta = textDelta(prose(length));
  const deltas = Array.from({ length: commits }, () => Array.from({ length: each }, () => delta));
  return [[...runStart(id, "look into it"), ...answerStart()], ...deltas, [...answerEnd("all"), ...runEnd()]];
}

/** @typedef {{ readonly before: readonly SessionWrite[], readonly timed: readonly SessionWrite[] }} Writes */

/** The commits from the first delta on to the last. @param {readonly SessionWrite[]} writes @returns {Writes} */
function answerWrites(writes) {
  const holds = (/** @type {SessionWrite} */ write) =>
    write.events.every((event) => event.type === "message.delta");
  return { before: writes.slice(0, writes.findIndex(holds)), timed: writes.filter(holds) };
}

/** @param {readonly SessionWrite[]} writes @param {number} from @returns {Writes} */
function part(writes, from) {
  return { before: writes.slice(0, from), timed: writes.slice(from) };
}

/** @param {string} name @param {Writes} writes @param {import("../row.mjs").Limit | undefined} limit @param {number} rounds @returns {Promise<Row>} */
async function append(name, writes, limit, rounds) {
  const folder = scratchFolder();
  const store = await openedStore(join(folder, "ours.db"));
  const raw = rawLog(join(folder, "floor.db"));
  try {
    const { ours, floor, ratio } = await compare(
      {
        ours: committing(store, writes),
        floor: { before: raw.next, run: () => writes.timed.forEach(({ events }) => raw.append(events)) },
      },
      { rounds, time: 100, clock: cpuTime },
    );
    const count = writes.timed.length;
    return againstFloor({
      operation: `append, ${name}; floor: plain transactions`,
      ours: `${duration(ours / count)} a commit`,
      floor: duration(floor / count),
      ratio,
      ...(limit === undefined ? undefined : { limit }),
    });
  } finally {
    raw.close();
    await store[Symbol.asyncDispose]();
    removeScratch(folder);
  }
}

/** The last tenth of the commits of a long answer against its first. @param {Writes} writes @param {number} rounds @returns {Promise<Row>} */
async function flat({ before, timed }, rounds) {
  const folder = scratchFolder();
  const store = await openedStore(join(folder, "ours.db"));
  const tenth = Math.floor(timed.length / 10);
  const late = { before: [...before, ...timed.slice(0, -tenth)], timed: timed.slice(-tenth) };
  try {
    const { ours, floor, ratio } = await compare(
      { ours: committing(store, late), floor: committing(store, { before, timed: timed.slice(0, tenth) }) },
      { rounds, time: 20, clock: cpuTime },
    );
    return againstFloor({
      operation: `append, 1 event a commit, last tenth of an answer of ${(timed.length * 50) / 1000} kB; floor: first tenth`,
      ours: `${duration(ours / tenth)} a commit`,
      floor: duration(floor / tenth),
      ratio,
      limit: { most: 1.25 },
    });
  } finally {
    await store[Symbol.asyncDispose]();
    removeScratch(folder);
  }
}

/**
 * Work that commits to a new session each time.
 * @param {import("@claxedo/agent-sdk-runtime").SessionStore} store @param {Writes} writes
 * @returns {import("../measure/compare.mjs").Work}
 */
function committing(store, { before, timed }) {
  /** @type {readonly SessionWrite[]} */
  let pending = [];
  return {
    async: true,
    before: async () => {
      const id = `session_${crypto.randomUUID()}`;
      const harness = /** @type {const} */ ({ id: "pi", access: "native" });
      const { epoch } = await store.create({ id, directory: "/", harness, createdAt: 1 });
      await commitAll(store, asSession(before, id, epoch));
      pending = asSession(timed, id, epoch);
    },
    run: () => commitAll(store, pending),
  };
}

/** @param {import("@claxedo/agent-sdk-runtime").SessionStore} store @param {readonly SessionWrite[]} writes */
async function commitAll(store, writes) {
  for (const write of writes) {
    const [result] = await store.commit([write]);
    if (result?.ok !== true) throw new Error(`A commit was refused: ${JSON.stringify(result)}`);
  }
}
