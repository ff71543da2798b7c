import { expect, test } from "vitest";
import { closingLine, isGreen, readClosingLine, skippedRealLine, sumReports } from "./closing-line.mjs";

/** @param {Partial<import("./closing-line.mjs").Report>} part */
const report = (part) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...part,
});

/** @param {string} name @param {string} status @param {string[]} tests */
const file = (name, status, tests) => ({
  name,
  status,
  assertionResults: tests.map((outcome) => ({ status: outcome })),
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
    file("a.test.ts", "failed", []),
    file("b.test.ts", "failed", ["failed"]),
    file("c.test.ts", "passed", ["passed"]),
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

test("counts the skipped tests of real agents, by the names of their files", () => {
  const real = (/** @type {string[]} */ ...tests) =>
    report({ testResults: [file("x/send.real.test.ts", "passed", tests)] });
  const other = report({ testResults: [file("x/send.test.ts", "passed", ["skipped", "todo"])] });
  expect(skippedRealLine([other, real("passed", "failed")])).toBeUndefined();
  expect(skippedRealLine([other, real("skipped")])).toBe(
    "1 real scenario skipped: npm run test:real runs them",
  );
  expect(skippedRealLine([other, real("skipped", "passed", "todo"), real("pending")])).toBe(
    "3 real scenarios skipped: npm run test:real runs them",
  );
});

test("reads the last closing line of a log, without the skipped tests of real agents", () => {
  const totals = { passed: 1200, failed: 1, skipped: 47 };
  const skipped = skippedRealLine([
    report({ testResults: [file("a.real.test.ts", "passed", ["skipped", "skipped"])] }),
  ]);
  expect(readClosingLine(`0 passed, 0 failed, 9 skipped\n\n${closingLine(totals)}\n`)).toEqual(totals);
  expect(readClosingLine(`messages\n${skipped}\n${closingLine(totals)}\n`)).toEqual({
    ...totals,
    skipped: 45,
  });
  expect(readClosingLine("Tests  3 passed (3)\nit says 1 passed, 0 failed, 0 skipped\n")).toBeUndefined();
});
