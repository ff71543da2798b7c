// Runs a program of this folder in a fresh process: what it finds is not warmed up by what ran before.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const limitMs = 10 * 60_000;

/**
 * The first message of the program. It is killed when it takes longer than ten minutes, or once it has
 * answered and `kill` is set; otherwise it ends by itself.
 * @param {URL} program
 * @param {unknown} question handed over as JSON
 * @param {{ readonly kill?: boolean }} [options]
 * @returns {Promise<unknown>}
 */
export async function askProgram(program, question, { kill = false } = {}) {
  const child = fork(fileURLToPath(program), [JSON.stringify(question)]);
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  const ended = new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
  try {
    const answer = await Promise.race([firstMessage(child), ended.then((how) => failed(program, how))]);
    if (kill) child.kill("SIGKILL");
    await ended;
    return answer;
  } finally {
    clearTimeout(limit);
    process.removeListener("exit", stop);
  }
}

/** @param {import("node:child_process").ChildProcess} child */
function firstMessage(child) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
  });
}

/** @param {URL} program @param {unknown} how @returns {never} */
function failed(program, how) {
  throw new Error(`${program.pathname.split("/").at(-1)} ended (${String(how)}) before it had an answer.`);
}

/** What this program was asked. From then on it ends when the one who asked is gone. @returns {unknown} */
export function question() {
  process.once("disconnect", () => process.exit());
  return JSON.parse(process.argv[2] ?? "null");
}

/** Answers; the process may end after that. @param {unknown} value @returns {Promise<void>} */
export function answer(value) {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) {
      process.stdout.write(`${JSON.stringify(value)}\n`);
      resolve();
    } else
      process.send(value, (/** @type {Error | null} */ error) =>
        error === null ? resolve() : reject(error),
      );
  });
}
