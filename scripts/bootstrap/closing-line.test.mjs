import { expect, test } from "vitest";
import { closingLine, isGreen, sumReports } from "./closing-line.mjs";

/** @param {Partial<import("./closing-line.mjs").Report>} part */
const report = (part) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...part,
});

test("sums the reports of all packages, todo tests as skipped", () => {
  const totals = sumReports([
    report({ numPassedTests: 3, numFailedTests: 1 }),
    report({ numPassedTests: 4, numPendingTests: 2, numTodoTests: 1 }),
  ]);
  expect(closingLine(totals)).toBe("7 passed, 1 failed, 3 skipped");
  expect(isGreen(totals)).toBe(false);
});

test("counts a test file that could not be loaded as one failed test", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "failed", assertionResults: [{}] },
    { status: "passed", assertionResults: [{}] },
  ];
  expect(sumReports([report({ numPassedTests: 1, numFailedTests: 1, testResults })])).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
  });
});

test("is green only when something ran and nothing failed", () => {
  expect(isGreen(sumReports([]))).toBe(false);
  expect(isGreen({ passed: 0, failed: 0, skipped: 5 })).toBe(false);
  expect(isGreen({ passed: 1, failed: 0, skipped: 5 })).toBe(true);
});
