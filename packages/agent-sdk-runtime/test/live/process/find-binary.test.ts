import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBinary } from "../../../src/live/process/find-binary.ts";
import { expectFault, scratch } from "../live-lab.ts";

/** A folder with a program of this name in it. */
function withProgram(name = "claude", mode = 0o755): { readonly folder: string; readonly path: string } {
  const folder = scratch();
  const path = join(folder, name);
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return { folder, path };
}

describe("the program", () => {
  it("is the one that the option names, by path or on PATH", async () => {
    const { folder, path } = withProgram("my-claude");
    expect(await findBinary({ binary: path, env: {} })).toBe(path);
    expect(await findBinary({ binary: "my-claude", env: { PATH: `/nowhere:${folder}` } })).toBe(path);
  });

  it("is the one of CLAUDE_CODE_PATH, unless the option names one", async () => {
    const [one, other] = [withProgram("one"), withProgram("other")];
    expect(await findBinary({ env: { CLAUDE_CODE_PATH: one.path } })).toBe(one.path);
    expect(await findBinary({ binary: other.path, env: { CLAUDE_CODE_PATH: one.path } })).toBe(other.path);
  });

  it("is the first `claude` on PATH, whichever way it is linked", async () => {
    const [first, second] = [withProgram("real"), withProgram()];
    symlinkSync(first.path, join(first.folder, "claude"));
    const PATH = `relative:${first.folder}:${second.folder}`;
    expect(await findBinary({ env: { PATH, CLAUDE_CODE_PATH: "" } })).toBe(join(first.folder, "claude"));
  });

  it("is not passed over for another when it is named", async () => {
    const { folder } = withProgram();
    const missing = join(folder, "missing");
    const env = { PATH: folder };
    const error = await expectFault(findBinary({ binary: missing, env }), "not-found");
    expect(error.fault.looked).toEqual([missing]);
    expect(error.message).toContain(missing);
    await expectFault(findBinary({ env: { ...env, CLAUDE_CODE_PATH: missing } }), "not-found");
    await expectFault(findBinary({ binary: "other", env }), "not-found");
  });

  it("is no directory and no file that may not be run", async () => {
    const { folder, path } = withProgram("text", 0o644);
    mkdirSync(join(folder, "claude"));
    await expectFault(findBinary({ binary: path, env: {} }), "not-found");
    await expectFault(findBinary({ env: { PATH: folder } }), "not-found");
  });

  it("may be a script that Node runs, which need not be executable", async () => {
    const { path } = withProgram("cli.mjs", 0o644);
    expect(await findBinary({ binary: path, env: {} })).toBe(path);
  });

  it("tells where it looked when there is none at all", async () => {
    const error = await expectFault(findBinary({ env: { PATH: "/nowhere:/at-all" } }), "not-found");
    expect(error.fault.looked).toEqual(expect.arrayContaining(["/nowhere/claude", "/at-all/claude"]));
    expect(error.message).toMatch(/Install Claude Code/u);
    await expectFault(findBinary({ env: {} }), "not-found");
  });
});
