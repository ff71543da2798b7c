import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const readme = fileURLToPath(new URL("../../../README.md", import.meta.url));
// Inside the package, so that the example finds it by the name that users write; it runs the built package.
const example = fileURLToPath(new URL(`./.readme-${process.pid}.mjs`, import.meta.url));
const canParseAwaitUsing = Number(process.versions.node.split(".")[0]) >= 24;

test.skipIf(!canParseAwaitUsing)("the example of the README runs as it stands", async () => {
  const folder = await mkdtemp(join(tmpdir(), "claxedo-readme-"));
  const [, code] = /```ts\n([\s\S]*?)```/.exec(await readFile(readme, "utf8")) ?? [];
  await writeFile(example, code ?? "throw new Error('the README has no example')");
  try {
    const env = { PATH: process.env["PATH"], HOME: folder, PI_CODING_AGENT_DIR: join(folder, "pi") };
    const { stdout } = await promisify(execFile)(process.execPath, [example], { cwd: folder, env, timeout: 60_000 });
    expect(stdout.trim().split("\n")).toEqual(["hello", "", "completed"].filter((line) => stdout.includes("\n\n") || line !== ""));
    expect(code?.trim().split("\n").length).toBeLessThanOrEqual(22);
  } finally {
    await rm(example, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
});
