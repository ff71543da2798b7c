import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseHarnesses, harnessNames, readAgent } from "./agents.mjs";
import { BootstrapError } from "./bootstrap-error.mjs";
import { root } from "./paths.mjs";

const names = ["claude", "codex"];

test("all harnesses are tested where none is named", () => {
  expect(chooseHarnesses([], names)).toEqual({ harnesses: names, options: [] });
  expect(chooseHarnesses(["-t", "steers"], names)).toEqual({ harnesses: names, options: ["-t", "steers"] });
});

test("named harnesses come first, options of vitest after them", () => {
  expect(chooseHarnesses(["codex", "-t", "claude"], names)).toEqual({
    harnesses: ["codex"],
    options: ["-t", "claude"],
  });
});

test("an unknown harness is refused with the names of those there are", () => {
  const choose = () => chooseHarnesses(["claude", "cluade"], names);
  expect(choose).toThrow(BootstrapError);
  expect(choose).toThrow(/no harness "cluade".*claude, codex/);
});

describe.each(harnessNames())("the agent of %s", (harness) => {
  const lock = readFileSync(join(root, "tools", "agents", harness, "package-lock.json"), "utf8");

  test("is locked to content, not to an address", () => {
    expect(lock).toContain('"integrity": "sha512-');
    expect(lock).not.toContain('"resolved"');
  });

  test.each(Object.entries(readAgent(harness).binaries))(
    "for %s lies in the package for it",
    (name, binary) => {
      const folder = binary.split("/").slice(0, binary.startsWith("@") ? 2 : 1);
      const [os, cpu, libc] = name.split("-");
      expect(JSON.parse(lock).packages[["node_modules", ...folder].join("/")]).toMatchObject({
        os: [os],
        cpu: [cpu],
        ...(os === "linux" && { libc: [libc ?? "glibc"] }),
      });
    },
  );
});
