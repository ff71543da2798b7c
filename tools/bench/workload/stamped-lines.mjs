// Another process that writes deltas at a steady pace, each with the time at which it was written.
import { createNdjsonDecoder } from "@claxedo/agent-event-runtime";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../programs/write-stamped-lines.mjs", import.meta.url));
const limitMs = 60_000;

/**
 * Reads that many lines from a pipe and hands over the frames of each chunk. Rejects when the writer fails.
 * @param {number} lines
 * @param {(frames: readonly import("@claxedo/agent-event-runtime").RawFrame[]) => void} onFrames
 * @returns {Promise<void>}
 */
export function stampedLines(lines, onFrames) {
  const decoder = createNdjsonDecoder();
  const child = spawn(process.execPath, [program, String(lines)], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  child.stdout.on("data", (chunk) => onFrames(decoder.push(chunk, Date.now())));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`The writer of lines ended with ${code}.`)),
    );
  });
}
