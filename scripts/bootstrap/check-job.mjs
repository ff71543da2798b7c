// `npm run check`: what to run before a commit. Types, lint, format, and the tests that the changes touch. Tests that
// start hosts or commands (`*.process.test.*`) take minutes in sum and are left to `npm test`, those that need a real
// agent (`*.real.test.*`) to `npm run test:real`.
import { runStep } from "./child.mjs";
import { root } from "./paths.mjs";

/** @type {readonly (readonly [name: string, command: string, ...args: string[]])[]} */
const checks = [
  ["types", "turbo", "run", "typecheck", "typecheck:root", "--output-logs=errors-only"],
  ["lint", "oxlint", "--type-aware", "--deny-warnings"],
  ["format", "oxfmt", "--check", "."],
  [
    "touched tests",
    "vitest",
    "run",
    "--changed",
    "--passWithNoTests",
    "--exclude",
    "**/*.{process,real}.test.*",
  ],
];

/**
 * Runs all of them, so that one report shows everything there is to fix.
 * @param {import("./environment.mjs").Env} env
 * @returns {Promise<number>}
 */
export async function check(env) {
  const failed = [];
  for (const [name, command, ...args] of checks)
    if ((await runStep(command, args, { cwd: root, env })) !== 0) failed.push(name);
  process.stderr.write(
    failed.length === 0 ? "claxedo: all checks passed\n" : `claxedo: failed: ${failed.join(", ")}\n`,
  );
  return failed.length === 0 ? 0 : 1;
}
