// Fills a store, leaves some turns open, answers, and waits to be killed: what a lost host leaves behind.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { answer, question } from "../measure/program.mjs";
import { asSession, captureWrites } from "../workload/captured-writes.mjs";
import { openedStore } from "../workload/opened-store.mjs";
import { wholeRun } from "../workload/pi-frames.mjs";

/**
 * @typedef {object} Seed
 * @property {number} sessions
 * @property {number} eventsEach
 * @property {number} open sessions of these whose last turn has not ended
 */

const { folder, sessions, eventsEach, open } = /** @type {Seed & { readonly folder: string }} */ (question());
mkdirSync(folder, { recursive: true });

const oneTurn = await captureWrites([answering]);
const perTurn = oneTurn.reduce((sum, write) => sum + write.events.length, 0);
const turns = Math.max(1, Math.round(eventsEach / perTurn));
const whole = await captureWrites(Array.from({ length: turns }, () => answering));
const cut = whole.slice(
  0,
  whole.findLastIndex((write) => write.events.some(({ type }) => type === "turn.ended")),
);

const store = await openedStore(join(folder, "store.db"));
let events = 0;
for (let index = 0; index < sessions; index += 1)
  events += await add(index < open ? cut : whole, index >= open);
await answer({ events });
// Never reached by itself: the one who asked kills this process, so that nothing is let go.
setInterval(() => undefined, 1_000);

/** @param {string} id */
function answering(id) {
  const frames = wholeRun(id, "look into it");
  return [frames.slice(0, -2), frames.slice(-2)];
}

/** Adds a session; its number of events. @param {typeof whole} writes @param {boolean} over */
async function add(writes, over) {
  const id = `session_${crypto.randomUUID()}`;
  const { epoch } = await store.create({
    id,
    directory: folder,
    harness: { id: "pi", access: "native" },
    createdAt: 1,
  });
  for (const write of asSession(writes, id, epoch)) {
    const [result] = await store.commit([write]);
    if (result?.ok !== true) throw new Error(`A commit was refused: ${JSON.stringify(result)}`);
  }
  if (over) await store.release(id, epoch);
  return writes.reduce((sum, write) => sum + write.events.length, 0);
}
