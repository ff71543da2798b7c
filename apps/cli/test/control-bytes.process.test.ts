import { expect, test } from "vitest";
import { eventsOf, Home, jsonLines } from "./command.ts";

const hostile =
  "ok\u001b]52;c;cHdu\u0007 \u001b]8;;javascript:x\u001b\\click\u001b]8;;\u001b\\ \u001b]0;t\u0007 \u202e \u009b31mred";
const harmless = "ok click   red";

test("shows people none of the control bytes that an agent prints, and keeps them in JSON (B144)", async () => {
  using home = new Home();
  const prompt = `say: ${hostile}\nread: ${hostile}`;
  const shown = await home.run(["run", prompt]);
  expect(shown.stdout).toContain(harmless);

  const exact = await home.run(["run", "--json", prompt]);
  expect(eventsOf(exact.stdout)[0]).toMatchObject({ input: [{ type: "text", text: prompt }] });
  expect(jsonLines(exact.stdout).some((line) => line["text"] === `${hostile}\n`)).toBe(true);

  const sessionId = String(eventsOf(exact.stdout)[0]?.sessionId);
  const outputs = [
    shown,
    await home.run(["show", sessionId]),
    await home.run(["events", sessionId]),
    await home.run(["sessions"]),
  ];
  for (const { stdout, stderr } of [...outputs, { stdout: "", stderr: exact.stderr }]) {
    expect(stdout + stderr).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
  }
});

test("writes no colours into a pipe", async () => {
  using home = new Home();
  const command = home.start(["run", "exec: false"], { FORCE_COLOR: "1" });
  command.child.stdin.end();
  const { stdout, stderr } = await command.ended;
  expect(stdout).toContain("✗ bash false (exit 1)\n");
  expect(stdout + stderr).not.toContain("\u001b");
});
