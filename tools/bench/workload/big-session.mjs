// Stores with a history, made by a real runtime or by committing again what one committed.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { dirname } from "node:path";
import { wholeRun } from "./pi-frames.mjs";
import { piHarness } from "./pi-harness.mjs";

/** Whole runs in one turn of a big session: some hundred events. */
const runsOfTurn = 8;

/**
 * Makes a store with one session of at least that many events, in turns that use tools and answer.
 * @param {string} path @param {number} events
 * @returns {Promise<{ readonly sessionId: string, readonly head: number }>}
 */
export async function makeBigSession(path, events) {
  const runtime = createAgentRuntime({ store: sqliteStore({ path }), harnesses: [piHarness(play)] });
  try {
    const { id: sessionId } = await runtime.sessions.create({
      directory: dirname(path),
      harness: { id: "pi" },
    });
    for (let head = 0; head < events;)
      head = (await (await runtime.turns.start({ sessionId, input: "look into it" })).settled).seq;
    const { seq } = await runtime.sessions.get(sessionId);
    return { sessionId, head: seq };
  } finally {
    await runtime.close();
  }
}

/** Answers a prompt with several stretches of work, of which the last one ends the run. @type {import("./pi-harness.mjs").OnPrompt} */
function play(connection, { id, message }) {
  for (let run = 0; run < runsOfTurn; run += 1) {
    const frames = wholeRun(`${id}-${run}`, message);
    const first = run === 0 ? 0 : frames.findIndex((frame) => Object(frame).type === "turn_start");
    const end = run === runsOfTurn - 1 ? frames.length : -2;
    connection.deliver(frames.slice(first, end));
  }
}
