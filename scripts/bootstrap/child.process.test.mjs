import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./paths.mjs";

const fixture = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`./fixtures/${name}.mjs`, import.meta.url));

/** The two ways to a job: this process's child alone, and `npm run` with npm and its shell in between. */
const throughNode = ["node", fixture("runs-a-child")];
const throughNpm = ["npm", "run", "--silent", "x", "--"];

/** Starts it as the leader of a process group of its own, as a shell does. @param {string[]} command */
function start([command = "", ...args]) {
  const process_ = spawn(command, args, { cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const pid = process_.pid;
  if (pid === undefined) throw new Error(`cannot start ${command}`);
  const exit = once(process_, "exit");
  /** @type {string[]} */
  const lines = [];
  const output = createInterface({ input: process_.stdout }).on("line", (line) => lines.push(line));
  const outputEnd = once(output, "close");
  const errors = text(process_.stderr);
  onTestFinished(() => {
    if (process_.exitCode === null && process_.signalCode === null) process.kill(-pid, "SIGKILL");
  });
  return {
    pid,
    ready: once(output, "line"),
    async end() {
      const [code, signal] = await exit;
      await outputEnd;
      return { code, signal, lines, errors: await errors };
    },
  };
}

test.each([
  { way: "node", command: throughNode },
  { way: "npm", command: throughNpm },
])("through $way, a job's exit code is the command's", async ({ command }) => {
  for (const code of [0, 1, 2, 3, 130])
    expect(await start([...command, "node", "-e", `process.exit(${code})`]).end()).toMatchObject({ code });
});

test("a command that a signal ended gives 128 and the signal's number", async () => {
  const ended = await start([...throughNode, "sh", "-c", "kill -TERM $$"]).end();
  expect(ended).toMatchObject({ code: 143, signal: null });
});

test("a command that does not exist gives 127", async () => {
  const ended = await start([...throughNode, "no-such-command"]).end();
  expect(ended).toMatchObject({ code: 127, errors: expect.stringContaining("cannot run no-such-command") });
});

test.each(
  ["SIGINT", "SIGTERM"].flatMap((signal) => [
    { signal, way: "node", command: throughNode },
    { signal, way: "npm", command: throughNpm },
  ]),
)("$signal reaches the command once, sent to $way or to its group", async ({ signal, command }) => {
  for (const target of ["process", "group"]) {
    const job = start([...command, "node", fixture("counts-signals")]);
    await job.ready;
    process.kill(target === "group" ? -job.pid : job.pid, signal);
    expect({ target, ...(await job.end()) }).toEqual({
      target,
      code: 3,
      signal: null,
      lines: ["ready", signal],
      errors: "",
    });
  }
});

test("a second Ctrl-C reaches the command as a second one", async () => {
  const job = start([...throughNode, "node", fixture("counts-signals")]);
  await job.ready;
  process.kill(-job.pid, "SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 400));
  process.kill(-job.pid, "SIGINT");
  expect((await job.end()).lines).toEqual(["ready", "SIGINT", "SIGINT"]);
});
