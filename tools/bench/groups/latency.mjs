// How long a frame takes to become an event at a subscriber, and a turn's last frame to become its verdict.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { join } from "node:path";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { median, quantile } from "../measure/statistics.mjs";
import { againstFloor, againstLimit } from "../row.mjs";
import { stampedLines } from "../workload/stamped-lines.mjs";
import {
  answerEnd,
  answerStart,
  prose,
  runEnd,
  runStart,
  textDelta,
  wholeRun,
} from "../workload/pi-frames.mjs";
import { piHarness } from "../workload/pi-harness.mjs";

/** @typedef {import("../settings.mjs").Settings} Settings */
/** @typedef {import("../row.mjs").Row} Row */
/** @typedef {import("@claxedo/agent-sdk-runtime").AgentRuntime} AgentRuntime */

/** @param {Settings} settings @returns {Promise<readonly Row[]>} */
export async function latencyRows({ quick }) {
  return [
    await frameToEvent(quick ? 500 : 3_000),
    await terminalToSettled(quick ? 10 : 50),
    await longTurn(quick ? 1_000 : 4_000),
  ];
}

/**
 * A runtime on a store of its own, and a session in it.
 * @template Result
 * @param {import("../workload/pi-harness.mjs").OnPrompt} onPrompt
 * @param {(runtime: AgentRuntime, sessionId: string) => Promise<Result>} work
 */
async function inSession(onPrompt, work) {
  const folder = scratchFolder();
  const store = sqliteStore({ path: join(folder, "store.db") });
  const runtime = createAgentRuntime({ store, harnesses: [piHarness(onPrompt)] });
  try {
    const session = await runtime.sessions.create({ directory: folder, harness: { id: "pi" } });
    return await work(runtime, session.id);
  } finally {
    await runtime.close();
    removeScratch(folder);
  }
}

/** Lines on a pipe at 1,000 a second, to events that are committed and read by a subscriber. @param {number} lines @returns {Promise<Row>} */
async function frameToEvent(lines) {
  const floor = await parsedOnly(lines);
  /** @type {Error | undefined} */
  let fault;
  const samples = await inSession(
    (connection, { id, message }) => {
      connection.deliver([...runStart(id, message), ...answerStart()]);
      stampedLines(lines, (frames) => connection.deliverFrames(frames))
        .catch((error) => (fault = error))
        .finally(() => connection.deliver([...answerEnd("all"), ...runEnd()]));
    },
    async (runtime, sessionId) => {
      /** @type {number[]} */
      const found = [];
      await runtime.turns.start({ sessionId, input: "write" });
      for await (const event of runtime.events.subscribe({ sessionId })) {
        if (event.type === "message.delta") found.push(sinceStamp(event.text));
        if (event.type === "turn.ended") break;
      }
      return found;
    },
  );
  if (fault !== undefined) throw fault;
  return againstLimit({
    operation: `a line on a pipe to its event at a subscriber, 1,000 a second, p50 / p99; floor: to its parsed frame`,
    values: [median(samples), quantile(samples, 0.99)],
    digits: 2,
    unit: "ms",
    limits: [{ most: 1 }, { most: 10 }],
    floor: `${median(floor).toFixed(2)} / ${quantile(floor, 0.99).toFixed(2)} ms`,
  });
}

/** @param {number} lines */
async function parsedOnly(lines) {
  /** @type {number[]} */
  const found = [];
  await stampedLines(lines, (frames) => {
    for (const frame of frames)
      if (frame.kind === undefined) found.push(sinceStamp(Object(frame.payload).assistantMessageEvent.delta));
  });
  return found;
}

/** Milliseconds since the time that is written in a delta. @param {string} text */
function sinceStamp(text) {
  return Number(process.hrtime.bigint() - BigInt(text.trim())) / 1e6;
}

/** @param {number} turns @returns {Promise<Row>} */
async function terminalToSettled(turns) {
  let last = 0;
  const samples = await inSession(
    (connection, { id, message }) => {
      connection.deliver(wholeRun(id, message).slice(0, -2));
      connection.onRead = () => {
        connection.onRead = undefined;
        setTimeout(() => {
          last = performance.now();
          connection.deliver(runEnd());
        }, 2);
      };
    },
    async (runtime, sessionId) => {
      /** @type {number[]} */
      const found = [];
      for (let turn = 0; turn < turns; turn += 1) {
        await (
          await runtime.turns.start({ sessionId, input: "look into it" })
        ).settled;
        found.push(performance.now() - last);
      }
      return found;
    },
  );
  return againstLimit({
    operation: "the terminal frame to turn.settled, p50 / p99",
    values: [median(samples), quantile(samples, 0.99)],
    digits: 2,
    unit: "ms",
    limits: [{ most: 10 }],
  });
}

/** A commit of one delta through the whole runtime, late in a long answer against early in it. @param {number} deltas @returns {Promise<Row>} */
async function longTurn(deltas) {
  /** @type {number[]} */
  const reads = [];
  await inSession(
    (connection, { id, message }) => {
      connection.deliver([...runStart(id, message), ...answerStart()]);
      for (let delta = 0; delta < deltas; delta += 1) connection.deliver([textDelta(prose(50))]);
      connection.deliver([...answerEnd(prose(50 * deltas)), ...runEnd()]);
      // The first turn only warms up.
      reads.length = 0;
      connection.onRead = () => reads.push(performance.now());
    },
    async (runtime, sessionId) => {
      for (let turn = 0; turn < 2; turn += 1)
        await (
          await runtime.turns.start({ sessionId, input: "write" })
        ).settled;
    },
  );
  const commits = reads.slice(1, deltas + 1).map((end, index) => end - (reads[index] ?? end));
  const tenth = Math.floor(deltas / 10);
  const [early, late] = [median(commits.slice(0, tenth)), median(commits.slice(-tenth))];
  return againstFloor({
    operation: `a delta through the whole runtime, last tenth of an answer of ${(deltas * 50) / 1000} kB; floor: first tenth`,
    ours: `${(late * 1000).toFixed(0)} µs`,
    floor: `${(early * 1000).toFixed(0)} µs`,
    ratio: late / early,
    limit: { most: 1.25 },
  });
}
