import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Home } from "./command.ts";

test(
  "plays the demonstration: everything holds, nothing is left, nothing of the user's is touched",
  { timeout: 60_000 },
  async () => {
    using home = new Home();
    const { code, stdout } = await home.run(["demo"]);
    expect(stdout).toMatch(/✓ bash git --no-pager diff --stat\n/);
    expect(stdout).toMatch(/kill -9 \d+: the host process is gone/);
    expect(stdout).toMatch(/status=recovering[^]*outcome=failed reason=host-lost[^]*status=idle/);
    for (const line of [
      /✓ recovery +recovering → idle/,
      /✓ last turn then +failed \(host-lost\)/,
      /✓ turn 1 +completed/,
      /✓ turn 2 +failed \(host-lost\)/,
      /✓ turn 3 +completed/,
      /✓ events stored +\d+/,
      /✓ seq dense +1 … \d+/,
      /✓ orphans +none; ended by the recovery: .*sleep 600/,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(stdout).toMatch(/\nEverything held\.\n$/);
    expect(code).toBe(0);
    expect(existsSync(join(home.root, "state"))).toBe(false);
    expect(existsSync(join(home.root, "pi"))).toBe(false);
  },
);

test("removes its folder and its processes when it is stopped", async () => {
  using home = new Home();
  const command = home.start(["demo"], { TMPDIR: home.workspace });
  await command.says("2. A second turn");
  command.child.kill("SIGINT");
  const { code, stderr } = await command.ended;
  expect(code).toBe(3);
  expect(stderr).toContain("The demonstration was stopped; its scratch folder is removed.");
  expect(readdirSync(home.workspace)).toEqual([]);
});
