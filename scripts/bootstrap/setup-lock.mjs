// One set-up at a time in a clone: a file in .toolchain/ that names its holder and is touched while it works.
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BootstrapError } from "./bootstrap-error.mjs";
import { toolchainDir } from "./paths.mjs";

const file = join(toolchainDir, "setup.lock");
const touchEveryMs = 2_000;
/** A holder that has not touched its lock for this long was killed (its pid may long be somebody else's). */
const staleAfterMs = 20_000;
const giveUpAfterMs = 15 * 60_000;

let depth = 0;

/**
 * Runs `work` while no other process sets up the same clone. Nested calls pass.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withSetupLock(work) {
  if (depth === 0) await acquire();
  depth += 1;
  const touch = setInterval(() => touchLock(), touchEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    depth -= 1;
    if (depth === 0) release();
  }
}

async function acquire() {
  mkdirSync(toolchainDir, { recursive: true });
  const deadline = Date.now() + giveUpAfterMs;
  let told = false;
  while (!tryCreate(file)) {
    if (isAbandoned()) breakLock();
    else if (Date.now() > deadline)
      throw new BootstrapError(
        `Another set-up of this clone has been running for 15 minutes. If none is, delete ${file} and run the same command again.`,
      );
    else {
      if (!told) process.stderr.write("claxedo: waiting for another set-up of this clone to finish\n");
      told = true;
      await sleep(100);
    }
  }
  process.once("exit", release);
}

/** Removes an abandoned lock. Only one process may look again and delete, or it could delete a fresh one. */
function breakLock() {
  const breaker = `${file}.break`;
  if (!tryCreate(breaker)) {
    if (ageMs(breaker) > staleAfterMs) rmSync(breaker, { force: true });
    return;
  }
  if (isAbandoned()) rmSync(file, { force: true });
  rmSync(breaker, { force: true });
}

function release() {
  process.removeListener("exit", release);
  if (holder() === process.pid) rmSync(file, { force: true });
}

function isAbandoned() {
  const pid = holder();
  if (pid === undefined) return ageMs(file) > staleAfterMs;
  return !isAlive(pid) || ageMs(file) > staleAfterMs;
}

/** @param {string} path */
function tryCreate(path) {
  try {
    const fd = openSync(path, "wx");
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

function holder() {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} path How long ago it was touched; 0 when it is gone. */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function touchLock() {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Somebody deleted .toolchain/ meanwhile; the work that needs it fails with its own message.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, "ESRCH");
  }
}

/** @param {unknown} error @param {string} code */
function isCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
