// Measures two ways of doing the same side by side.
import { Bench } from "tinybench";
import { median } from "./statistics.mjs";

/**
 * What is timed, and what happens untimed before each time.
 * @typedef {object} Work
 * @property {() => unknown} run
 * @property {true} [async] set when it answers a promise; tinybench would call it once more, beside the others, to find out
 * @property {() => void | Promise<void>} [before]
 */

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} time milliseconds for each of the two in a round
 * @property {number} [warmup] milliseconds for ours alone before all else; none when absent
 * @property {() => number} [clock] in milliseconds; wall-clock time when absent
 */

/**
 * @typedef {object} Comparison
 * @property {number} ours median duration in milliseconds
 * @property {number} floor median duration in milliseconds
 * @property {number} ratio median of ours ÷ floor, each taken within one round
 */

function wallTime() {
  return performance.now();
}

/**
 * Takes turns between the two, round by round and in changing order, so that a machine that is slow for a
 * while is slow for both.
 * @param {{ readonly ours: Work, readonly floor: Work }} works
 * @param {Options} options
 * @returns {Promise<Comparison>}
 */
export async function compare(works, options) {
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  await warmUp(works.ours, options);
  for (let round = 0; round < options.rounds; round += 1) {
    const found = await once(works, options, round);
    ours.push(found.ours);
    floor.push(found.floor);
  }
  const ratios = ours.map((value, round) => value / (floor[round] ?? Number.NaN));
  return { ours: median(ours), floor: median(floor), ratio: median(ratios) };
}

/** Code with many branches takes seconds to be compiled for good. @param {Work} work @param {Options} options */
async function warmUp({ run, before }, { warmup = 0, clock = wallTime }) {
  for (const end = clock() + warmup; clock() < end;) {
    await before?.();
    await run();
  }
}

/**
 * One round; the first one warms up.
 * @param {{ readonly ours: Work, readonly floor: Work }} works
 * @param {Options} options
 * @param {number} round
 */
async function once(works, { time, clock = wallTime }, round) {
  const budget = { time, iterations: 1, warmupTime: time, warmupIterations: 1 };
  const bench = new Bench({ ...budget, warmup: round === 0, now: clock, throws: true });
  /** @type {readonly ("ours" | "floor")[]} */
  const order = round % 2 === 0 ? ["floor", "ours"] : ["ours", "floor"];
  for (const name of order) {
    const { run, before, async = false } = works[name];
    bench.add(name, run, before === undefined ? { async } : { async, beforeEach: () => before() });
  }
  await bench.run();
  return { ours: medianOf(bench, "ours"), floor: medianOf(bench, "floor") };
}

/** @param {Bench} bench @param {string} name */
function medianOf(bench, name) {
  const result = bench.getTask(name)?.result;
  if (result === undefined || !("latency" in result)) throw new Error(`The task ${name} gave no figures.`);
  return result.latency.p50;
}
