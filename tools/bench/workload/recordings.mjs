// The committed recordings of an adapter as what a driver sees: chunks of bytes, and the frames it sends.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { addBytes } from "./parts.mjs";

/** @typedef {import("./parts.mjs").Part} Part */

/** @typedef {{ readonly t: number, readonly dir: string, readonly ch?: string, readonly line: unknown }} Line */

/** The silence that pi 0.73 means as its last word. */
const quietMs = 700;

/**
 * Every committed recording of the adapter; none when it has none.
 * @param {string} adapterId
 * @returns {readonly (readonly Part[])[]}
 */
export function recordings(adapterId) {
  const folder = new URL(
    `../../../packages/agent-event-runtime/src/adapters/${adapterId}/fixtures/`,
    import.meta.url,
  );
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => new URL(`${name}/`, folder))
    .filter((place) => existsSync(new URL("recording.jsonl", place)))
    .map((place) => partsOf(readFileSync(new URL("recording.jsonl", place), "utf8"), isQuiet(place)));
}

/** @param {URL} place */
function isQuiet(place) {
  const { harness, version } = JSON.parse(readFileSync(new URL("case.json", place), "utf8"));
  return harness === "pi" && String(version).startsWith("0.");
}

/** @param {string} text @param {boolean} quiet @returns {readonly Part[]} */
function partsOf(text, quiet) {
  /** @type {Part[]} */
  const parts = [];
  let last = 0;
  let starts = 0;
  for (const row of text.split("\n").filter((line) => line !== "")) {
    const line = /** @type {Line} */ (JSON.parse(row));
    if (quiet && line.t - last > quietMs)
      parts.push({ frame: { kind: "quiet", forMs: quietMs, at: last + quietMs } });
    if (isSpawn(line) && (starts += 1) > 1) parts.push({ restart: line.t });
    // The rows of a history are read from a file, not from the wire.
    if (line.ch === "history") continue;
    if (line.dir === "recv") addBytes(parts, bytesOf(line.line), line.t);
    if (line.dir === "send") parts.push({ frame: sent(line) });
    last = line.t;
  }
  return parts;
}

/** @param {Line} line */
function isSpawn({ line }) {
  return typeof line === "object" && line !== null && "spawn" in line;
}

/** @param {unknown} line */
function bytesOf(line) {
  return Buffer.from(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
}

/** @param {Line} line @returns {import("@claxedo/agent-event-runtime").WireFrame} */
function sent({ line, t }) {
  return { dir: "sent", channel: "", payload: typeof line === "string" ? parsed(line) : line, at: t };
}

/** @param {string} line @returns {unknown} */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
