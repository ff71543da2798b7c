// `npm test`: types, then every test of the workspace, then one closing line over all of them.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { runStep } from "./child.mjs";
import { closingLine, isGreen, skippedRealLine, sumReports } from "./closing-line.mjs";
import { root } from "./paths.mjs";
import { packageDirectories, readManifest } from "./workspace.mjs";

const reportName = ".vitest.json";

/**
 * The exit code; the closing line is the last thing on stdout, whatever happened before.
 * @param {import("./environment.mjs").Env} env
 * @returns {Promise<number>}
 */
export async function testEverything(env) {
  const tested = packageDirectories().filter((dir) => readManifest(dir).scripts?.["test"]);
  const files = [root, ...tested].map((dir) => join(dir, reportName));
  for (const file of files) rmSync(file, { force: true });
  const types = await turbo(env, ["typecheck", "typecheck:root"]);
  // One package at a time: tests start processes of their own and measure time. What they depend on is built.
  const tests = await turbo(env, ["test", "test:scripts", "--only", "--concurrency=1"]);

  const missing = files.filter((file) => !existsSync(file));
  const reports = files
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
  const totals = sumReports(reports);
  const skippedReal = skippedRealLine(reports);
  if (types !== 0) complain("the types do not check.");
  for (const file of missing)
    complain(`no test report from ${relative(root, join(file, "..")) || "scripts"}; its messages are above.`);
  if (tests !== 0 && totals.failed === 0)
    complain("a test run failed outside of its tests; its messages are above.");
  if (skippedReal) process.stdout.write(`${skippedReal}\n`);
  process.stdout.write(`${closingLine(totals)}\n`);
  return types === 0 && tests === 0 && missing.length === 0 && isGreen(totals) ? 0 : 1;
}

/** @param {import("./environment.mjs").Env} env @param {string[]} args */
function turbo(env, args) {
  return runStep("turbo", ["run", ...args, "--output-logs=new-only", "--continue=dependencies-successful"], {
    cwd: root,
    env,
  });
}

/** @param {string} problem */
function complain(problem) {
  process.stderr.write(`claxedo: ${problem}\n`);
}
