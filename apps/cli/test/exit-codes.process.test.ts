import { expect, test } from "vitest";
import { Home, jsonLines } from "./command.ts";

test("exits 1 when the turn fails, and says why", async () => {
  using home = new Home();
  const failed = await home.run(["run", "--json", "fail: the model has had enough"]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/✗ failed in \d+\.\d s: the model has had enough\n$/);
  expect(jsonLines(failed.stdout).at(-1)).toMatchObject({ type: "result", outcome: "failed", text: "" });
});

test("exits 1 when the model is not known, naming one that is", async () => {
  using home = new Home();
  const failed = await home.run(["run", "--model", "nobody/nothing", "say: x"]);
  expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: "" });
  expect(failed.stderr).toContain('pi has no model "nobody/nothing". Usable now: offline/scripted');
});

const wrongUses: readonly (readonly [what: string, args: readonly string[], says: string])[] = [
  ["no command", [], "Name a command."],
  ["an unknown option", ["run", "--fast", "say: x"], "Unknown option '--fast'"],
  ["an empty prompt", ["run", " \n\t"], "The prompt is empty"],
  ["an empty prompt on standard input", ["run", "-"], "The prompt is empty"],
  ["an unknown harness", ["run", "--harness", "nemo", "say: x"], 'There is no harness "nemo"'],
  [
    "a harness that is not in this command yet",
    ["run", "--harness", "codex", "say: x"],
    "it has: pi, claude.",
  ],
  ["an access that the harness lacks", ["run", "--access", "acp", "say: x"], "use native"],
  ["a missing directory", ["run", "--dir", "nowhere", "say: x"], "nowhere is not an existing directory"],
  ["a file as directory", ["run", "--dir", "/dev/null", "say: x"], "/dev/null is not an existing directory"],
  ["an unknown session", ["run", "--session", "1234", "say: x"], 'There is no session "1234"'],
  ["an unknown turn to show", ["show", "turn_1"], 'There is no turn "turn_1"'],
  ["an unknown session to follow", ["events", "1", "--follow"], 'There is no session "1"'],
];

test.for(wrongUses)("exits 2 for %s", async ([, args, says]) => {
  using home = new Home();
  const { code, stdout, stderr } = await home.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^claxedo: /);
  expect(stderr).toContain(says);
  expect(stderr.split("\n").length).toBeLessThanOrEqual(3);
});

test("makes no session when the prompt, the directory or the harness is wrong", async () => {
  using home = new Home();
  for (const args of [["\n"], ["--dir", "nowhere", "say: x"], ["--harness", "nemo", "say: x"]]) {
    await home.run(["run", ...args]);
  }
  expect((await home.run(["sessions", "--json"])).stdout).toBe("");
});

test("repeats an error as the last line of JSON output", async () => {
  using home = new Home();
  const unknown = await home.run(["events", "--json", "1"]);
  expect(jsonLines(unknown.stdout)).toEqual([
    {
      type: "error",
      code: "session-not-found",
      message: expect.stringContaining('There is no session "1"') as string,
    },
  ]);
  expect(unknown.stderr).toContain('There is no session "1"');
  const empty = await home.run(["run", "--json", ""]);
  expect(jsonLines(empty.stdout)).toMatchObject([{ type: "error", code: "invalid-input" }]);
});

test("tells of an error that nothing was prepared for in one sentence, and where on request", async () => {
  using home = new Home();
  const bomb = "--import=data:text/javascript,setTimeout(()=>{throw%20new%20Error('boom')},1000)";
  const brief = await home.start(["run", "--json", "-"], { NODE_OPTIONS: bomb }).ended;
  expect({ code: brief.code, stderr: brief.stderr }).toEqual({ code: 1, stderr: "claxedo: boom\n" });
  expect(jsonLines(brief.stdout)).toEqual([{ type: "error", code: "internal", message: "boom" }]);
  const long = await home.start(["run", "-"], { NODE_OPTIONS: bomb, CLAXEDO_DEBUG: "1" }).ended;
  expect(long.stderr).toMatch(/^claxedo: boom\nError: boom\n {4}at /);
});

test("prints help and version on stdout and exits 0", async () => {
  using home = new Home();
  const help = await home.run(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  const own = await home.run(["run", "--help"]);
  expect(own).toMatchObject({ code: 0, stderr: "" });
  expect(own.stdout).toContain("Usage: claxedo run");
  expect(await home.run(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^claxedo \d+\.\d+\.\d+\n$/) as string,
  });
});
