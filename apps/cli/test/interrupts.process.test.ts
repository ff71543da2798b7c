import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Command, eventsOf, Home, jsonLines } from "./command.ts";

/** Starts a turn that sleeps, and waits until it does. */
async function sleeping(home: Home, ...options: readonly string[]): Promise<Command> {
  const command = home.start(["run", "--json", ...options, "sleep: 300"]);
  await command.says('"type":"tool.updated"');
  return command;
}

/** The processes whose command line says this. */
async function running(words: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
  return stdout.split("\n").filter((line) => line.includes(words));
}

test.for(["SIGINT", "SIGTERM"] as const)(
  "cancels the turn at %s, ends in order and exits 3",
  async (signal) => {
    using home = new Home();
    const command = await sleeping(home);
    command.child.kill(signal);
    const { code, stdout, stderr } = await command.ended;
    expect(code).toBe(3);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", outcome: "cancelled" });
    expect(eventsOf(stdout).find(({ type }) => type === "tool.ended")).toMatchObject({
      outcome: "cancelled",
    });
    expect(stderr).toMatch(/· cancelling; Ctrl-C again ends at once\n– cancelled in \d+\.\d s\n$/);
  },
);

test("exits 130 at a second Ctrl-C, and leaves nothing that the next command cannot settle", async () => {
  using home = new Home();
  const nap = `sleep 3${process.pid}`;
  // In a session of its own, so that the agent cannot end it with its shell: cancelling takes a while.
  const tool = `setsid sh -c "trap '' TERM INT; echo dee''ply; ${nap}; ${nap}"`;
  const command = home.start(["run", "--json", `exec: ${tool}`]);
  await command.says("deeply");
  command.child.kill("SIGINT");
  await command.says("cancelling", "stderr");
  const before = Date.now();
  command.child.kill("SIGINT");
  expect((await command.ended).code).toBe(130);
  expect(Date.now() - before).toBeLessThan(3_000);

  const listed = await home.run(["sessions", "--json"]);
  expect(jsonLines(listed.stdout)).toMatchObject([
    { status: "idle", lastTurn: { status: expect.stringMatching(/cancelled|failed/) as string } },
  ]);
  expect(await running(nap)).toEqual([]);
});

test("runs nothing when it is cancelled before there is a turn", async () => {
  using home = new Home();
  const command = home.start(["run", "--json", "-"]);
  // Node has no handler for the signal before the command has begun to read.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  command.child.kill("SIGINT");
  const { code, stdout, stderr } = await command.ended;
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: "claxedo: Cancelled before the turn began; nothing was run.\n",
  });
  expect(jsonLines(stdout)).toMatchObject([{ type: "error", code: "cancelled" }]);
});

test("cancels the turn without a word of complaint when nobody reads any more", async () => {
  using home = new Home();
  const command = home.start(["run", "--json", "sleep: 1\nsay: more\nsleep: 300"]);
  await command.says('"type":"tool.updated"');
  command.child.stdout.destroy();
  const { code, stderr } = await command.ended;
  expect(code).toBe(3);
  expect(stderr).not.toMatch(/EPIPE|Error|claxedo:/);
});

test("ends quietly when the reader of a listing goes away", async () => {
  using home = new Home();
  const run = await home.run(["run", "--json", "-"], `say: ${"word ".repeat(4_000)}`);
  const sessionId = String(eventsOf(run.stdout)[0]?.sessionId);
  const command = home.start(["events", "--json", sessionId]);
  command.child.stdout.once("data", () => command.child.stdout.destroy());
  expect(await command.ended).toMatchObject({ code: 0, stderr: "" });
});
