import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "../..");
// Inside the package, so that the example finds it by the name that users write; it runs the built package.
const example = join(import.meta.dirname, `.readme-${process.pid}.mjs`);

test("the example of the README shows what an agent says", () => {
  const [, code] = /```js\n([^]*?)```/.exec(readFileSync(join(PACKAGE, "README.md"), "utf8")) ?? [];
  writeFileSync(example, code ?? "throw new Error('the README has no example')");
  const message = { role: "assistant", content: [{ type: "text", text: "hello" }] };
  const said = [
    { type: "agent_start" },
    { type: "message_start", message: { ...message, content: [] } },
    { type: "message_end", message },
  ];
  try {
    const input = said.map((frame) => `${JSON.stringify(frame)}\n`).join("");
    const { stdout, stderr } = spawnSync(process.execPath, [example], {
      input,
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("text: 'hello'");
  } finally {
    rmSync(example, { force: true });
  }
});
