// Starting a runtime on a store that a killed host left, with turns open in some of many sessions.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { askProgram } from "../measure/program.mjs";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { median } from "../measure/statistics.mjs";
import { againstFloor, againstLimit } from "../row.mjs";

/** @typedef {import("../programs/start-runtime.mjs").Started} Started */
/** @typedef {import("../programs/seed-store.mjs").Seed} Seed */

const seeding = new URL("../programs/seed-store.mjs", import.meta.url);
const starting = new URL("../programs/start-runtime.mjs", import.meta.url);
const open = 10;

/** @param {import("../settings.mjs").Settings} settings @returns {Promise<readonly import("../row.mjs").Row[]>} */
export async function startRuntimeRows({ quick, sessions, events }) {
  const times = quick ? 3 : 5;
  const large = await started({ sessions, eventsEach: Math.ceil(events / sessions), open }, times);
  const small = await started({ sessions: open, eventsEach: 20, open }, times);
  return [
    againstLimit({
      operation: `start a runtime on ${sessions} sessions, ${large.events} events, ${open} turns open`,
      values: [large.ms, large.cpuMs],
      unit: "ms (wall / CPU)",
      digits: 0,
      limits: [{ most: 200 }],
    }),
    againstFloor({
      operation: `the same in CPU time; floor: on ${open} sessions, ${small.events} events, ${open} turns open`,
      ours: `${large.cpuMs.toFixed(0)} ms`,
      floor: `${small.cpuMs.toFixed(0)} ms`,
      ratio: large.cpuMs / small.cpuMs,
      limit: { most: 1.5 },
    }),
  ];
}

/**
 * Starts on copies of one store, since a start settles what was open.
 * @param {Seed} seed @param {number} times
 */
async function started(seed, times) {
  const folder = scratchFolder();
  try {
    const origin = join(folder, "origin");
    const seeded = await askProgram(seeding, { ...seed, folder: origin }, { kill: true });
    const { events } = /** @type {{ events: number }} */ (seeded);
    /** @type {Started[]} */
    const found = [];
    for (let time = 0; time < times; time += 1) {
      const copy = join(folder, "copy");
      cpSync(origin, copy, { recursive: true });
      const one = /** @type {Started} */ (await askProgram(starting, { folder: copy }));
      if (one.recovered !== seed.open)
        throw new Error(`${one.recovered} of ${seed.open} open turns were settled.`);
      found.push(one);
      removeScratch(copy);
    }
    return { ms: median(found.map(({ ms }) => ms)), cpuMs: median(found.map(({ cpuMs }) => cpuMs)), events };
  } finally {
    removeScratch(folder);
  }
}
