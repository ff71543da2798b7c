// The one line a test run ends with, summed over the JSON reports vitest wrote. Pure.

/**
 * The part of a vitest JSON report that counts.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly { status: string, assertionResults: readonly unknown[] }[]} testResults
 */

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
