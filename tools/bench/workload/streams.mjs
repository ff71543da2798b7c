// Long synthetic sessions, cut into tenths of equal work.
import { claudeAnswer, claudeRun } from "./claude-frames.mjs";
import { answer, answerStart, prompt, prose, runEnd, runStart, textDelta, wholeRun } from "./pi-frames.mjs";

/** @typedef {import("./fold.mjs").Step} Step */

/**
 * @typedef {object} Stream
 * @property {string} name
 * @property {readonly Step[]} before what leads up to the first tenth
 * @property {readonly (readonly Step[])[]} tenths
 */

/**
 * The streams in the dialect of an adapter; none for a dialect that nothing here speaks.
 * @param {string} adapterId @param {boolean} quick
 * @returns {readonly Stream[]}
 */
export function streams(adapterId, quick) {
  const count = quick ? 100 : 400;
  const deltas = quick ? 4_000 : 20_000;
  switch (adapterId) {
    case "pi":
      return [runsOf(count, piRun), answerOf(deltas, piAnswer())];
    case "claude":
      return [runsOf(count, (id) => claudeRun(id, 30)), answerOf(deltas, claudeAnswer())];
    default:
      return [];
  }
}

/** @param {number} count @param {(id: string) => readonly Step[]} run @returns {Stream} */
function runsOf(count, run) {
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    Array.from({ length: count / 10 }, (__, place) => run(String(tenth * 1000 + place))).flat(),
  );
  const frames = tenths.reduce((sum, steps) => sum + steps.length, 0);
  return { name: `${count} runs with tools (${frames} frames)`, before: [], tenths };
}

/** @param {number} deltas @param {{ readonly before: readonly Step[], readonly delta: Step }} answer @returns {Stream} */
function answerOf(deltas, { before, delta }) {
  const tenth = Array.from({ length: deltas / 10 }, () => delta);
  return { name: `one answer of ${deltas} deltas`, before, tenths: Array.from({ length: 10 }, () => tenth) };
}

/** The frames up to the first text delta, and that delta. */
function piAnswer() {
  const before = [sent(prompt("i", "write")), ...[...runStart("i", "write"), ...answerStart()].map(received)];
  return { before, delta: received(textDelta(prose(20))) };
}

/**
 * @typedef {object} Growing
 * @property {string} name
 * @property {readonly Step[]} once
 * @property {readonly Step[]} tenfold the same with ten times as much in it
 */

/**
 * Sessions of two sizes in the dialect of an adapter.
 * @param {string} adapterId @param {boolean} quick
 * @returns {readonly Growing[]}
 */
export function growing(adapterId, quick) {
  if (adapterId !== "pi") return [];
  const many = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => piRun(`i${index}`)).flat();
  const size = quick ? 1 : 4;
  return [
    { name: "runs with tools", once: many(10 * size), tenfold: many(100 * size) },
    { name: "one long answer", once: piLongAnswer(400 * size), tenfold: piLongAnswer(4_000 * size) },
  ];
}

/** @param {number} deltas @returns {readonly Step[]} */
function piLongAnswer(deltas) {
  const payloads = [...runStart("i", "write"), ...answer(deltas, 20), ...runEnd()];
  return [sent(prompt("i", "write")), ...payloads.map(received)];
}

/** A prompt and what pi makes of it. @param {string} id @returns {readonly Step[]} */
function piRun(id) {
  const text = `look into ${id}`;
  return [sent(prompt(id, text)), ...wholeRun(id, text).map(received)];
}

/** @param {import("@claxedo/agent-event-runtime").Json} payload @returns {Step} */
function received(payload) {
  return { frame: { dir: "received", channel: "", payload, at: 1 } };
}

/** @param {{ readonly id: string }} payload @returns {Step} */
function sent(payload) {
  return { frame: { dir: "sent", channel: "", payload, at: 1, note: { inputId: payload.id } } };
}
