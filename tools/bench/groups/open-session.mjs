// Opening a session with a long history, each time in a fresh process.
import { join } from "node:path";
import { askProgram } from "../measure/program.mjs";
import { removeScratch, scratchFolder } from "../measure/scratch.mjs";
import { median } from "../measure/statistics.mjs";
import { againstLimit } from "../row.mjs";
import { makeBigSession } from "../workload/big-session.mjs";

/** @typedef {{ readonly ms: number, readonly mib: number }} Opened */

const program = new URL("../programs/open-session.mjs", import.meta.url);
const limits = [{ most: 20 }, { most: 32 }];

/** @param {import("../settings.mjs").Settings} settings @returns {Promise<readonly import("../row.mjs").Row[]>} */
export async function openSessionRows({ quick }) {
  const folder = scratchFolder();
  try {
    const path = join(folder, "big.db");
    const { sessionId, head } = await makeBigSession(path, quick ? 10_000 : 100_000);
    const rows = [];
    for (const [how, name] of /** @type {const} */ ([
      ["events", "last page of events"],
      ["messages", "last page of the transcript"],
      ["take", "take it as a host and commit"],
    ])) {
      /** @type {Opened[]} */
      const found = [];
      for (let time = 0; time < (quick ? 3 : 7); time += 1)
        found.push(await opened({ path, sessionId, how }));
      const values = [median(found.map(({ ms }) => ms)), median(found.map(({ mib }) => mib))];
      rows.push(
        againstLimit({
          operation: `open a session of ${head} events, ${name}`,
          values,
          unit: "ms / MiB",
          limits,
        }),
      );
    }
    return rows;
  } finally {
    removeScratch(folder);
  }
}

/** @param {unknown} question */
async function opened(question) {
  const found = await askProgram(program, question);
  return /** @type {Opened} */ (found);
}
