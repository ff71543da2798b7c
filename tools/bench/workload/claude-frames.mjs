// A recorded run of claude with partial messages, to be told again under other ids and with longer answers.
import { readFileSync } from "node:fs";

/** @typedef {import("./fold.mjs").Step} Step */
/** @typedef {import("./recordings.mjs").Line} Line */

const recording = new URL(
  "../../../packages/agent-event-runtime/src/adapters/claude/fixtures/2.1.332-b-tool-partial/recording.jsonl",
  import.meta.url,
);

/** The part of every id of the recording that tells one run from another, except the id of the session. */
const ids = /(?<=(?:msg|toolu)_)mock|(?<=uuids?":\[?")[0-9a-f]{8}/g;

/**
 * The frames of the run under ids of its own. Every text delta is told `deltas` times over.
 * @param {string} id @param {number} deltas
 * @returns {readonly Step[]}
 */
export function claudeRun(id, deltas) {
  return lines().flatMap((line) => {
    const step = stepOf(line, id);
    return isText(line) ? Array.from({ length: deltas }, () => step) : [step];
  });
}

/** The frames up to the first text delta, and that delta. @returns {{ readonly before: readonly Step[], readonly delta: Step }} */
export function claudeAnswer() {
  const all = lines();
  const first = all.findIndex(isText);
  const [delta, ...before] = [all[first], ...all.slice(0, first)].filter((line) => line !== undefined);
  if (delta === undefined) throw new Error("The recording has no text delta.");
  return { before: before.map((line) => stepOf(line, "0")), delta: stepOf(delta, "0") };
}

/** @returns {readonly Line[]} */
function lines() {
  const rows = readFileSync(recording, "utf8").split("\n");
  return rows
    .filter((row) => row !== "")
    .map((row) => /** @type {Line} */ (JSON.parse(row)))
    .filter(({ dir }) => dir === "send" || dir === "recv");
}

/** @param {Line} line */
function isText({ line }) {
  return String(line).includes('"text_delta"');
}

/** @param {Line} line @param {string} id @returns {Step} */
function stepOf({ dir, line, t }, id) {
  const payload = JSON.parse(String(line).replaceAll(ids, id.padStart(8, "0")));
  if (dir === "recv") return { frame: { dir: "received", channel: "", payload, at: t } };
  return { frame: { dir: "sent", channel: "", payload, at: t, note: { inputId: payload.uuid } } };
}
