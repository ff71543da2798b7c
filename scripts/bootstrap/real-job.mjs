// `npm run test:real`: the tests that need a real agent, against the pinned one, on a network that ends at this machine.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureAgent, platform } from "./agents.mjs";
import { runStep } from "./child.mjs";
import { closingLine, isGreen, realTestSuffix, sumReports } from "./closing-line.mjs";
import { realTestEnvironment } from "./environment.mjs";
import { endLeftovers } from "./leftovers.mjs";
import { canBeLoopbackOnly, loopbackOnly } from "./loopback.mjs";
import { root } from "./paths.mjs";
import { holdSignals } from "./signal-relay.mjs";

/** What the tests started may take this long to end after them. */
const graceMs = 5_000;

/**
 * The exit code; the closing line is the last thing on stdout. The tests of a harness that is not chosen, or has no
 * program for this platform, count as skipped.
 * @param {import("./environment.mjs").Env} env
 * @param {{ harnesses: readonly string[], options: readonly string[] }} chosen `options` are vitest's
 * @returns {Promise<number>}
 */
export async function testReal(env, { harnesses, options }) {
  /** @type {import("./environment.mjs").Env} */
  const settings = {};
  for (const harness of harnesses) {
    const agent = await ensureAgent(harness);
    if (agent === undefined) say(`${harness} has no program for ${platform()}; its tests are skipped.`);
    Object.assign(settings, agent);
  }
  const isolated = canBeLoopbackOnly(env);
  if (isolated) settings["CLAXEDO_REAL_NETWORK"] = "loopback";
  else say("no network namespace can be made here; the tests run on the network of this machine.");

  const release = holdSignals();
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), "claxedo-"));
  try {
    mkdirSync(join(scratch, "home"));
    return await runTests(scratch, isolated ? loopbackOnly : [], options, {
      ...realTestEnvironment(env, scratch),
      ...settings,
    });
  } finally {
    await endLeftovers(scratch, 0);
    rmSync(scratch, { recursive: true, force: true });
    release();
  }
}

/**
 * @param {string} scratch
 * @param {readonly string[]} wrapper
 * @param {readonly string[]} options
 * @param {import("./environment.mjs").Env} env
 */
async function runTests(scratch, wrapper, options, env) {
  const report = join(scratch, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const [command = "", ...args] = [...wrapper, "vitest", "run", realTestSuffix, ...reporters, ...options];
  const code = await runStep(command, args, { cwd: root, env });
  const leftovers = await endLeftovers(scratch, graceMs);
  for (const leftover of leftovers) say(`a process outlived the tests and was ended: ${leftover}`);

  const reports = existsSync(report) ? [JSON.parse(readFileSync(report, "utf8"))] : [];
  const totals = sumReports(reports);
  if (code !== 0 && totals.failed === 0)
    say("the test run failed outside of its tests; its messages are above.");
  process.stdout.write(`${closingLine(totals)}\n`);
  return code === 0 && leftovers.length === 0 && isGreen(totals) ? 0 : 1;
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`claxedo: ${message}\n`);
}
