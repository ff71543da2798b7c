// A session as a driver sees it: chunks of bytes, and what is not bytes.

/** @typedef {import("./fold.mjs").Step} Step */

/**
 * Bytes that came, a frame that is not bytes, or the start of another process.
 * @typedef {{ readonly bytes: Buffer, readonly at: number }} Chunk
 * @typedef {{ readonly frame: import("@claxedo/agent-event-runtime").RawFrame }} Told
 * @typedef {{ readonly restart: number }} Restart
 * @typedef {Chunk | Told | Restart} Part
 */

/** What a pipe hands over at once, at most. */
const chunkLimit = 64 * 1024;

/** Adds bytes, to the last chunk while there is room in it. @param {Part[]} parts @param {Buffer} bytes @param {number} at */
export function addBytes(parts, bytes, at) {
  const before = parts.at(-1);
  const joins = before !== undefined && "bytes" in before && before.bytes.length + bytes.length <= chunkLimit;
  if (joins) parts.splice(-1, 1, { bytes: Buffer.concat([before.bytes, bytes]), at });
  else parts.push({ bytes, at });
}

/** The same frames with what was received as bytes. @param {readonly Step[]} steps @returns {readonly Part[]} */
export function asParts(steps) {
  /** @type {Part[]} */
  const parts = [];
  for (const step of steps) {
    if (!("frame" in step) || step.frame.kind !== undefined || step.frame.dir === "sent") parts.push(step);
    else addBytes(parts, Buffer.from(`${JSON.stringify(step.frame.payload)}\n`), step.frame.at);
  }
  return parts;
}
