// Bytes to events, against parsing the same bytes; and whether a delta costs the same however long the session is.
import { adapters } from "@claxedo/agent-event-runtime";
import { compare } from "../measure/compare.mjs";
import { cpuTime } from "../measure/cpu-time.mjs";
import { duration, rate } from "../measure/statistics.mjs";
import { againstFloor } from "../row.mjs";
import { parseBytes, translateBytes, translateSteps } from "../workload/fold.mjs";
import { asParts } from "../workload/parts.mjs";
import { recordings } from "../workload/recordings.mjs";
import { streams } from "../workload/streams.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").EventAdapter} EventAdapter */
/** @typedef {import("../settings.mjs").Settings} Settings */
/** @typedef {import("../row.mjs").Row} Row */

/** @param {Settings} settings @returns {Promise<readonly Row[]>} */
export async function translationRows(settings) {
  const rows = [];
  for (const adapter of adapters.values()) {
    const recorded = recordings(adapter.id);
    const name = `${recorded.length} recordings`;
    if (recorded.length > 0) rows.push(await throughput(adapter, name, recorded, settings, { least: 0.5 }));
    const made = streams(adapter.id, settings.quick);
    for (const { name: what, tenths } of made.slice(0, 1))
      rows.push(await throughput(adapter, `a tenth of ${what}`, [asParts(tenths[0] ?? [])], settings));
    for (const stream of made) rows.push(await flatness(adapter, stream, settings));
  }
  return rows;
}

/**
 * @param {EventAdapter} adapter
 * @param {string} name
 * @param {readonly (readonly import("../workload/parts.mjs").Part[])[]} sessions
 * @param {Settings} settings
 * @param {import("../row.mjs").Limit} [limit]
 */
async function throughput(adapter, name, sessions, { quick }, limit) {
  const frames = sessions.reduce((sum, parts) => sum + parseBytes(parts), 0);
  const { ours, floor, ratio } = await compare(
    {
      ours: { run: () => sessions.forEach((parts) => translateBytes(adapter, parts)) },
      floor: { run: () => sessions.forEach((parts) => parseBytes(parts)) },
    },
    { rounds: quick ? 3 : 9, time: quick ? 50 : 120, warmup: quick ? 1_000 : 4_000, clock: cpuTime },
  );
  return againstFloor({
    operation: `translation ${adapter.id}, bytes to events: ${name}; floor: split, decode, parse`,
    ours: rate(frames, ours, "frames"),
    floor: rate(frames, floor, "frames"),
    ratio: 1 / ratio,
    ...(limit === undefined ? undefined : { limit }),
  });
}

/** The last tenth of a stream against its first. @param {EventAdapter} adapter @param {import("../workload/streams.mjs").Stream} stream @param {Settings} settings */
async function flatness(adapter, { name, before, tenths }, { quick }) {
  const first = tenths[0] ?? [];
  const last = tenths.at(-1) ?? [];
  const start = translateSteps(adapter, before);
  const late = tenths
    .slice(0, -1)
    .reduce((snapshot, steps) => translateSteps(adapter, steps, snapshot), start);
  const { ours, floor, ratio } = await compare(
    {
      ours: { run: () => translateSteps(adapter, last, late) },
      floor: { run: () => translateSteps(adapter, first, start) },
    },
    { rounds: quick ? 3 : 9, time: quick ? 30 : 80, warmup: 500, clock: cpuTime },
  );
  return againstFloor({
    operation: `translation ${adapter.id}: a frame in the last tenth of ${name}; floor: in the first`,
    ours: duration(ours / last.length),
    floor: duration(floor / first.length),
    ratio,
    limit: { most: 1.25 },
  });
}
