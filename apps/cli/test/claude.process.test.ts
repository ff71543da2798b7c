import { expect, test } from "vitest";
import { eventsOf, Home, jsonLines, scriptedClaude } from "./command.ts";

function run(home: Home, ...args: readonly string[]): ReturnType<Home["run"]> {
  return home.run(["run", "--json", ...args], "", scriptedClaude);
}

test("starts a session in the mode that is named, and goes on in another", async () => {
  using home = new Home();
  const first = await run(home, "--harness", "claude", "--mode", "plan", "args");
  expect(jsonLines(first.stdout).at(-1)?.["text"]).toMatch(/--permission-mode[= ]plan/u);
  const session = String(eventsOf(first.stdout)[0]?.sessionId);
  const second = await run(home, "--session", session, "--mode", "acceptEdits", "args");
  expect(jsonLines(second.stdout).at(-1)?.["text"]).toMatch(/--permission-mode[= ]acceptEdits/u);
  expect(second.code).toBe(0);
});

test("runs a prompt that begins with a slash as a command where the harness has commands", async () => {
  using home = new Home();
  const command = { type: "command", text: "/compact the tests" };
  const compact = await run(home, "--harness", "claude", "/compact the tests");
  expect(eventsOf(compact.stdout)[0]).toMatchObject({ type: "turn.queued", input: [command] });
  expect(eventsOf(compact.stdout).map(({ type }) => type)).toContain("compaction.ended");
  expect(compact.code).toBe(0);

  const text = await run(home, "/compact the tests");
  expect(eventsOf(text.stdout)[0]).toMatchObject({ input: [{ type: "text", text: "/compact the tests" }] });
});

test("takes a slash that begins no word for text", async () => {
  using home = new Home();
  const { stdout } = await run(home, "--harness", "claude", "/ say");
  expect(eventsOf(stdout)[0]).toMatchObject({ input: [{ type: "text", text: "/ say" }] });
});
