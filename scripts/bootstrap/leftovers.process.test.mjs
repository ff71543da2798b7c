import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endLeftovers } from "./leftovers.mjs";
import { canBeLoopbackOnly, loopbackOnly } from "./loopback.mjs";

const isolates = canBeLoopbackOnly(process.env);

function makeScratch() {
  const scratch = mkdtempSync(join(tmpdir(), "claxedo-leftovers-"));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  return scratch;
}

/** Starts a run that leaves a process behind, in a session of its own, deaf to every signal that can be ignored. */
async function leaveBehind(/** @type {string} */ scratch, /** @type {string} */ seconds) {
  const script = `trap '' HUP INT TERM; setsid sleep ${seconds} & echo left`;
  const [command, ...args] = [...(isolates ? loopbackOnly : []), "sh", "-c", script];
  const run = spawn(command, args, {
    env: { ...process.env, HOME: scratch },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.all([once(run, "exit"), once(run.stdout, "data")]);
  run.stdout.destroy();
}

test("what a run left behind is ended and told", async () => {
  const [scratch, other] = [makeScratch(), makeScratch()];
  await leaveBehind(other, "3600");
  await leaveBehind(scratch, "3601");
  expect(await endLeftovers(scratch, 0)).toEqual([expect.stringContaining("sleep 3601")]);
  expect(await endLeftovers(scratch, 0)).toEqual([]);
  expect(await endLeftovers(other, 0)).toEqual([expect.stringContaining("sleep 3600")]);
});

test("what ends by itself in time is left to end", async () => {
  const scratch = makeScratch();
  await leaveBehind(scratch, "0.3");
  expect(await endLeftovers(scratch, 20_000)).toEqual([]);
});

test.skipIf(!isolates)("a loopback-only namespace needs no `ip` where there is perl, but one of them", () => {
  const bin = join(makeScratch(), "bin");
  mkdirSync(bin);
  for (const name of ["unshare", "sh", "true"]) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  expect(canBeLoopbackOnly({ PATH: bin })).toBe(false);
  symlinkSync("/usr/bin/perl", join(bin, "perl"));
  expect(canBeLoopbackOnly({ PATH: bin })).toBe(true);
});
