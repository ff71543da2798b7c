import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { Home, jsonLines, scriptedClaude } from "./command.ts";

test("finds everything in place before the first run, and makes nothing", async () => {
  using home = new Home();
  const { code, stdout } = await home.run(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^✓ Node \d+\.\d+\.\d+\n✓ Store .*: not there yet; the first run makes it\n✓ Harness pi \d+\.\d+\.\d+\n/,
  );
  expect(existsSync(dirname(home.store))).toBe(false);
});

test("counts what is in the store", async () => {
  using home = new Home();
  await home.run(["run", "say: x"]);
  const { code, stdout } = await home.run(["doctor", "--json"]);
  expect(code).toBe(0);
  const [report] = jsonLines(stdout);
  expect(report).toMatchObject({ type: "doctor", ok: true });
  expect(report?.["findings"]).toContainEqual({
    what: "store",
    ok: true,
    message: expect.stringContaining("1 session, ") as string,
    facts: expect.objectContaining({ path: home.store, exists: true, readable: true, sessions: 1 }) as object,
  });
});

test("exits 1 when the store cannot be used, and says why", async () => {
  using home = new Home();
  mkdirSync(dirname(home.store), { recursive: true });
  writeFileSync(home.store, "x".repeat(5_000));
  const { code, stdout } = await home.run(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/\n✗ The store .*\/claxedo\.db: .*not a SQLite database/);
});

test("tells the version of Claude Code, or what is missing where there is none", async () => {
  using home = new Home();
  const found = await home.run(["doctor"], "", scriptedClaude);
  expect(found.stdout).toMatch(/\n✓ Harness claude 2\.1\.332 \(\/.*\.mjs\)\n/u);
  const missing = await home.run(["doctor"], "", { CLAUDE_CODE_PATH: "/nowhere/claude" });
  expect(missing.code).toBe(0);
  expect(missing.stdout).toMatch(
    /\n✗ Harness claude: There is no \/nowhere\/claude to run .*Name an executable file/u,
  );
});
