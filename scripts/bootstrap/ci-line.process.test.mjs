import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("ci-line.mjs", import.meta.url));

/** @param {Record<string, string>} logs by file name */
function ciLine(logs) {
  const folder = mkdtempSync(join(tmpdir(), "claxedo-ci-line-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = Object.keys(logs).map((name) => join(folder, name));
  for (const [name, text] of Object.entries(logs)) writeFileSync(join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...files], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the closing line of CI is the sum of the runs, with a real scenario counted where it ran", () => {
  const test = "44 real scenarios skipped: npm run test:real runs them\n900 passed, 1 failed, 46 skipped\n";
  expect(ciLine({ test, "test:real": "43 passed, 0 failed, 1 skipped\n" })).toEqual({
    status: 0,
    stdout: "943 passed, 1 failed, 3 skipped\n",
    stderr: "",
  });
});

test("a run without a closing line fails CI, which says which", () => {
  expect(ciLine({ test: "900 passed, 0 failed, 2 skipped\n", "test:real": "npm error\n" })).toEqual({
    status: 1,
    stdout: "900 passed, 0 failed, 2 skipped\n",
    stderr: "claxedo: test:real printed no closing line\n",
  });
});
