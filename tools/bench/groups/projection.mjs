// Events to rows, against the translation that made the events; and whether the work grows with the events only.
import { adapters, emptySnapshot } from "@claxedo/agent-event-runtime";
import { compare } from "../measure/compare.mjs";
import { cpuTime } from "../measure/cpu-time.mjs";
import { duration, rate } from "../measure/statistics.mjs";
import { againstFloor } from "../row.mjs";
import { project, stepsOf, translateSteps } from "../workload/fold.mjs";
import { recordings } from "../workload/recordings.mjs";
import { growing } from "../workload/streams.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").AgentRuntimeEvent} AgentRuntimeEvent */
/** @typedef {import("@claxedo/agent-event-runtime").EventAdapter} EventAdapter */
/** @typedef {import("../workload/fold.mjs").Step} Step */
/** @typedef {import("../settings.mjs").Settings} Settings */
/** @typedef {import("../row.mjs").Row} Row */

/** @param {Settings} settings @returns {Promise<readonly Row[]>} */
export async function projectionRows(settings) {
  const rows = [];
  for (const adapter of adapters.values()) {
    const sessions = recordings(adapter.id).map(stepsOf);
    if (sessions.length > 0) rows.push(await againstTranslation(adapter, sessions, settings));
    for (const stream of growing(adapter.id, settings.quick))
      rows.push(await linearity(adapter, stream, settings));
  }
  return rows;
}

/** @param {EventAdapter} adapter @param {readonly (readonly Step[])[]} sessions @param {Settings} settings */
async function againstTranslation(adapter, sessions, { quick }) {
  const logs = sessions.map((steps) => eventsOf(adapter, steps));
  const count = logs.reduce((sum, events) => sum + events.length, 0);
  const { ours, floor, ratio } = await compare(
    {
      ours: { run: () => logs.forEach((events) => project(events)) },
      floor: { run: () => sessions.forEach((steps) => translateSteps(adapter, steps)) },
    },
    { rounds: quick ? 3 : 9, time: quick ? 50 : 150, warmup: 500, clock: cpuTime },
  );
  return againstFloor({
    operation: `projection transcript of the ${adapter.id} recordings; floor: the translation of their frames`,
    ours: rate(count, ours, "events"),
    floor: rate(count, floor, "events"),
    ratio: 1 / ratio,
    limit: { least: 1 },
  });
}

/** Ten times the events against once. @param {EventAdapter} adapter @param {import("../workload/streams.mjs").Growing} stream @param {Settings} settings */
async function linearity(adapter, { name, once, tenfold }, { quick }) {
  // Ten logs, so that as much memory is read.
  const few = Array.from({ length: 10 }, () => eventsOf(adapter, once));
  const many = eventsOf(adapter, tenfold);
  const { ours, floor, ratio } = await compare(
    { ours: { run: () => project(many) }, floor: { run: () => few.forEach((events) => project(events)) } },
    { rounds: quick ? 3 : 9, time: quick ? 30 : 80, warmup: 300, clock: cpuTime },
  );
  return againstFloor({
    operation: `projection transcript of ${name}: ${many.length} events; floor: ${few[0]?.length}`,
    ours: duration(ours),
    floor: duration(floor / 10),
    ratio: ratio * 10,
    limit: { most: 12 },
  });
}

// Positional ids of the same length throughout: V8 joins strings of 13 characters and more differently.
const late = { ...emptySnapshot("session"), frames: 100_000 };

/** @param {EventAdapter} adapter @param {readonly Step[]} steps */
function eventsOf(adapter, steps) {
  /** @type {AgentRuntimeEvent[]} */
  const events = [];
  translateSteps(adapter, steps, late, events);
  return events;
}
