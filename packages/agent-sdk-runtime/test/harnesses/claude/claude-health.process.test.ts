import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { claudeHealth, healthOf } from "../../../src/harnesses/claude/health.ts";
import { ClaudeLab, fake, program } from "./claude-lab.ts";

const lab = new ClaudeLab();
afterAll(() => lab.remove());

/** A program that is a shell script. */
function script(name: string, text: string): string {
  const path = join(lab.root, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const well = { ok: true, version: "2.1.332", program: program("claude") };

test("is well with the version that the program says", async () => {
  expect(await claudeHealth({ binary: program("claude") })).toEqual(well);
});

test("finds the program in the environment it is given", async () => {
  const env = { CLAUDE_CODE_PATH: program("claude") };
  expect(await claudeHealth({ env })).toEqual(well);
});

test.each(["2.1.332 (Claude Code)", "2.1.333", "2.2.0", "3.0.1"])("has nothing to say against %s", (said) => {
  expect(healthOf("claude", said)).toEqual({ ok: true, version: said.split(" ")[0], program: "claude" });
});

test.each(["2.1.331 (Claude Code)", "2.0.999", "1.9.400"])("says of %s that it was never tried", (said) => {
  const { ok, version, message } = healthOf("claude", said);
  expect([ok, version]).toEqual([true, said.split(" ")[0]]);
  expect(message).toContain("2.1.332");
});

test.each([
  ["is not there", join(import.meta.dirname, "no", "claude"), /Name an executable/u],
  ["ends with an error", fake("dies-at-start"), /does not tell its version: fatal: cannot start\.$/u],
  ["ends without a word", script("curt", "exit 3"), /does not tell its version: .*exit code 3\.$/u],
  [
    "tells a secret",
    script("open", "echo key sk-ant-api03-SECRET >&2; exit 1"),
    /version: key \[redacted\]\.$/u,
  ],
  ["says something else", script("hello", "echo hello"), /does not say which version/u],
  ["says nothing", script("mute", "exit 0"), /does not say which version/u],
  ["says far too much", script("loud", "yes 2.1.332"), /MAXBUFFER/u],
])("is not well with a program that %s", async (_, binary, message) => {
  const health = await claudeHealth({ binary });
  expect(health).toMatchObject({ ok: false, message: expect.stringMatching(message) as string });
});

test("does not wait for ever for a program that says nothing", async () => {
  const begun = Date.now();
  const { ok, message } = await claudeHealth({ binary: script("slow", "exec sleep 60") });
  expect([ok, message]).toEqual([false, expect.stringContaining("ended after 10000 ms")]);
  expect(Date.now() - begun).toBeLessThan(25_000);
});
