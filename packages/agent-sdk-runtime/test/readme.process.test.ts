import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const canParseAwaitUsing = Number(process.versions.node.split(".")[0]) >= 24;

test.skipIf(!canParseAwaitUsing)("the example of the repository's README runs as it stands", async () => {
  await checkExample("../../../README.md");
});

test("the example of the package's README runs as it stands", async () => {
  await checkExample("../README.md");
});

test("the example of the live session's page runs as it stands", async () => {
  const program = join(import.meta.dirname, "claude/fake/programs/hello.mjs");
  await checkExample("../../../docs/live-session.md", ["You said: Which tests fail?"], {
    CLAUDE_CODE_PATH: program,
  });
});

test("the example of the page about claude runs as it stands", async () => {
  const program = join(import.meta.dirname, "claude/fake/programs/tool-asks.mjs");
  await checkExample("../../../docs/claude.md", ["completed"], { CLAUDE_CODE_PATH: program });
});

async function checkExample(
  page: string,
  lines: readonly string[] = ["hello", "completed"],
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(await readFile(join(import.meta.dirname, page), "utf8")) ?? [];
  // Inside the package, so that the example finds it by the name that users write; it runs the built package.
  const example = join(import.meta.dirname, `.readme-${process.pid}.mjs`);
  const folder = await mkdtemp(join(tmpdir(), "claxedo-readme-"));
  await writeFile(example, code ?? "throw new Error('the page has no example')");
  try {
    const env = { PATH: process.env["PATH"], HOME: folder, PI_CODING_AGENT_DIR: join(folder, "pi"), ...more };
    const { stdout } = await promisify(execFile)(process.execPath, [example], {
      cwd: folder,
      env,
      timeout: 60_000,
    });
    expect(stdout.split("\n").filter((line) => line !== "")).toEqual(lines);
    expect(code?.trim().split("\n").length).toBeLessThanOrEqual(22);
  } finally {
    await rm(example, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}
