// The last line of .ci/run, from the logs of the test runs it is given: `node ci-line.mjs LOG...`. Exit code 1 where a
// run printed no closing line of its own.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { closingLine, readClosingLine } from "./closing-line.mjs";

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const log of process.argv.slice(2)) {
  const run = readClosingLine(readFileSync(log, "utf8"));
  if (run === undefined) {
    process.stderr.write(`claxedo: ${basename(log)} printed no closing line\n`);
    process.exitCode = 1;
  } else {
    totals.passed += run.passed;
    totals.failed += run.failed;
    totals.skipped += run.skipped;
  }
}
process.stdout.write(`${closingLine(totals)}\n`);
