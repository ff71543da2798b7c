// Reading a whole log through a subscription, against reading and parsing the same rows.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import Database from "better-sqlite3";
import { join } from "node:path";
import { compare } from "../measure/compare.mjs";
import { cpuTime } from "../measure/cpu-time.mjs";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { duration } from "../measure/statistics.mjs";
import { againstFloor } from "../row.mjs";
import { makeBigSession } from "../workload/big-session.mjs";

/** @param {import("../settings.mjs").Settings} settings @returns {Promise<readonly import("../row.mjs").Row[]>} */
export async function subscribeRows({ quick }) {
  const folder = scratchFolder();
  const path = join(folder, "big.db");
  const { sessionId, head } = await makeBigSession(path, quick ? 10_000 : 100_000);
  const runtime = createAgentRuntime({ store: sqliteStore({ path }), harnesses: [], role: "reader" });
  const sqlite = new Database(path, { readonly: true });
  const rows = sqlite
    .prepare("select body from events where session = 1 and seq > ? order by seq limit 500")
    .pluck();
  try {
    await runtime.ready;
    const { ours, floor, ratio } = await compare(
      {
        ours: { async: true, run: () => drain(runtime, sessionId, head) },
        floor: { run: () => readAll(rows, head) },
      },
      { rounds: quick ? 3 : 9, time: 10, clock: cpuTime },
    );
    const operation = `subscribe from 1 on ${head} events, to the last; floor: read and parse the rows`;
    return [
      againstFloor({ operation, ours: duration(ours), floor: duration(floor), ratio, limit: { most: 2 } }),
    ];
  } finally {
    sqlite.close();
    await runtime.close();
    removeScratch(folder);
  }
}

/** @param {import("@claxedo/agent-sdk-runtime").AgentRuntime} runtime @param {string} sessionId @param {number} head */
async function drain(runtime, sessionId, head) {
  for await (const event of runtime.events.subscribe({ sessionId })) if (event.seq === head) return;
}

/** @param {Database.Statement} rows @param {number} head */
function readAll(rows, head) {
  for (let seq = 0; seq < head;) for (const body of rows.all(seq)) seq = JSON.parse(String(body)).seq;
}
