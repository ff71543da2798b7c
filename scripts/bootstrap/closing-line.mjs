// The one line a test run ends with, summed over the JSON reports vitest wrote, and read again from a log. Pure.

/**
 * The part of a vitest JSON report that counts.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly FileReport[]} testResults
 */

/** @typedef {{ name: string, status: string, assertionResults: readonly { status: string }[] }} FileReport */

/** @typedef {{ passed: number, failed: number, skipped: number }} Totals */

/**
 * Todo tests count as skipped, a test file that could not be loaded as one failed test.
 * @param {readonly Report[]} reports
 * @returns {Totals}
 */
export function sumReports(reports) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const report of reports) {
    const unloadable = report.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    );
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests + unloadable.length;
    totals.skipped += report.numPendingTests + report.numTodoTests;
  }
  return totals;
}

/** @param {Totals} totals */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Whether the run proves something: no test failed and at least one ran.
 * @param {Totals} totals
 */
export function isGreen({ passed, failed }) {
  return failed === 0 && passed > 0;
}

/** How the files of tests are called that need a real agent: `npm run test:real` brings it, elsewhere they are skipped. */
export const realTestSuffix = ".real.test.ts";

/**
 * The line before the closing line of `npm test`; none where no test of a real agent was skipped.
 * @param {readonly Report[]} reports
 */
export function skippedRealLine(reports) {
  const count = reports
    .flatMap((report) => report.testResults)
    .filter((file) => file.name.endsWith(realTestSuffix))
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== "passed" && status !== "failed").length;
  if (count === 0) return undefined;
  return `${count} real ${count === 1 ? "scenario" : "scenarios"} skipped: npm run test:real runs them`;
}

/**
 * What a run printed at its end: its totals, without the skipped tests of real agents. `undefined` without a closing
 * line.
 * @param {string} log
 * @returns {Totals | undefined}
 */
export function readClosingLine(log) {
  const line = [...log.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].pop();
  if (line === undefined) return undefined;
  const real = [...log.matchAll(/^(\d+) real scenarios? skipped: /gm)].pop();
  return {
    passed: Number(line[1]),
    failed: Number(line[2]),
    skipped: Number(line[3]) - Number(real?.[1] ?? 0),
  };
}
