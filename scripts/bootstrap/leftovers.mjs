// Ends what a run left behind: the processes whose environment names its scratch folder, in whichever session, process
// group or namespace they are. Only where there is a /proc.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { BootstrapError } from "./bootstrap-error.mjs";

const lookEveryMs = 50;
const giveUpAfterMs = 10_000;

/**
 * Resolves once there are none, to the command lines of those that did not end by themselves in time.
 * @param {string} scratch
 * @param {number} graceMs
 * @returns {Promise<string[]>}
 */
export async function endLeftovers(scratch, graceMs) {
  const graceEnd = Date.now() + graceMs;
  /** @type {Map<number, string>} */
  const ended = new Map();
  for (;;) {
    const pids = processesOf(scratch);
    if (pids.length === 0) return [...ended.values()];
    if (Date.now() > graceEnd + giveUpAfterMs)
      throw new BootstrapError(`these processes of the tests cannot be ended: ${pids.join(", ")}.`);
    if (Date.now() >= graceEnd)
      for (const pid of pids) {
        ended.set(pid, read(pid, "cmdline").replaceAll("\0", " ").trim());
        kill(pid);
      }
    await sleep(lookEveryMs);
  }
}

/** @param {string} scratch */
function processesOf(scratch) {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(pid, "environ").includes(scratch));
}

/** Empty for a process that is gone or not ours. @param {number} pid @param {"environ" | "cmdline"} file */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended in between.
  }
}
