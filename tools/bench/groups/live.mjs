// What a live session costs over the pipe that it reads, and how long an answer takes.
import { ClaudeCode } from "@claxedo/agent-sdk-runtime/live";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpuTime } from "../measure/cpu-time.mjs";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { median, quantile } from "../measure/statistics.mjs";
import { againstFloor, againstLimit } from "../row.mjs";

/** @typedef {import("../settings.mjs").Settings} Settings */
/** @typedef {import("../row.mjs").Row} Row */

const binary = fileURLToPath(new URL("../programs/claude-that-writes.mjs", import.meta.url));
const said = `${JSON.stringify({ type: "user", message: { role: "user", content: "go" } })}\n`;

/** @param {Settings} settings @returns {Promise<readonly Row[]>} */
export async function liveRows({ quick }) {
  const cwd = scratchFolder();
  try {
    return [
      await reading(cwd, quick ? 20_000 : 100_000, quick ? 3 : 7),
      await answers(cwd, quick ? 50 : 500),
    ];
  } finally {
    removeScratch(cwd);
  }
}

/** Alternating, in CPU time of this process: the program that writes has its own. @param {string} cwd @param {number} lines @param {number} rounds @returns {Promise<Row>} */
async function reading(cwd, lines, rounds) {
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [bare, live] = [await costOf(() => readPipe(lines)), await costOf(() => readLive(cwd, lines))];
    // The first round warms up.
    if (round > 0) [floor, ours].forEach((found, index) => found.push(index === 0 ? bare : live));
  }
  const rate = (/** @type {number[]} */ found) => `${Math.round(lines / median(found))} k lines/s`;
  return againstFloor({
    operation: `a live session reads ${lines} deltas and a result, one reader of events; floor: split, decode, parse from the same pipe`,
    ours: rate(ours),
    floor: rate(floor),
    ratio: median(floor.map((value, round) => value / (ours[round] ?? Number.NaN))),
  });
}

/** @param {() => Promise<void>} work */
async function costOf(work) {
  const start = cpuTime();
  await work();
  return cpuTime() - start;
}

/** @param {string} cwd @param {number} lines */
async function readLive(cwd, lines) {
  const env = { CLAXEDO_BENCH_LINES: String(lines) };
  await using session = await ClaudeCode.session({ cwd, binary, env });
  const answered = session.sendAndAwait("go");
  let seen = 0;
  for await (const { type } of session.events) {
    seen += 1;
    if (type === "result") break;
  }
  await answered;
  if (seen + session.state.droppedEvents < lines) throw new Error(`Only ${seen} messages came.`);
}

/** @param {number} lines */
async function readPipe(lines) {
  const env = { ...process.env, CLAXEDO_BENCH_LINES: String(lines) };
  const child = spawn(process.execPath, [binary], { env, stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdin.end(said);
  let seen = 0;
  let rest = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout) {
    const texts = `${rest}${chunk}`.split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts) if (JSON.parse(text).type !== undefined) seen += 1;
  }
  await closed;
  if (seen <= lines) throw new Error(`Only ${seen} lines came.`);
}

/** From a send to its result, with a program that answers at once. @param {string} cwd @param {number} times @returns {Promise<Row>} */
async function answers(cwd, times) {
  await using session = await ClaudeCode.session({ cwd, binary, env: { CLAXEDO_BENCH_LINES: "0" } });
  /** @type {number[]} */
  const found = [];
  for (let time = 0; time < times; time += 1) {
    const start = performance.now();
    await session.sendAndAwait("go");
    found.push(performance.now() - start);
  }
  return againstLimit({
    operation: "a live session, from a send to its result, p50 / p99, of a program that answers at once",
    values: [median(found), quantile(found, 0.99)],
    digits: 2,
    unit: "ms",
  });
}
