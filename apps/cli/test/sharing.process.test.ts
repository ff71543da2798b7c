import { expect, test } from "vitest";
import { eventsOf, Home, jsonLines } from "./command.ts";

test("runs two prompts at once on one store", async () => {
  using home = new Home();
  const prompt = "sleep: 0.5\nsay: done";
  const runs = await Promise.all([1, 2].map(() => home.run(["run", "--json", prompt])));
  for (const { code, stdout } of runs) {
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", outcome: "completed" });
  }
  const listed = jsonLines((await home.run(["sessions", "--json"])).stdout);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(2);
});

test("follows a session that another process works on, to the end of that and beyond", async () => {
  using home = new Home();
  const run = home.start(["run", "--json", "say: first\nsleep: 1\nsay: last"]);
  run.child.stdin.end();
  await run.says('"type":"tool.started"');
  const sessionId = String(eventsOf(run.stdout.slice(0, run.stdout.lastIndexOf("\n")))[0]?.sessionId);
  const follow = home.start(["events", sessionId, "--follow", "--json"]);
  await follow.says('"type":"tool.started"');
  expect((await run.ended).code).toBe(0);
  await follow.says('"type":"harness.ended"');

  const again = await home.run(["run", "--session", sessionId, "say: and again"]);
  expect(again.code).toBe(0);
  await follow.says("and again");
  await follow.says(/harness\.ended[^]*harness\.ended/);
  follow.child.kill("SIGINT");
  const { code, stdout } = await follow.ended;
  expect(code).toBe(0);
  const stored = await home.run(["events", sessionId, "--json"]);
  expect(stdout).toBe(stored.stdout);
});

test("refuses a prompt for a session that another process works on, naming that process (B107)", async () => {
  using home = new Home();
  const run = home.start(["run", "--json", "sleep: 300"]);
  run.child.stdin.end();
  await run.says('"type":"tool.updated"');
  const sessionId = String(eventsOf(run.stdout.slice(0, run.stdout.lastIndexOf("\n")))[0]?.sessionId);
  const refused = await home.run(["run", "--json", "--session", sessionId, "say: x"]);
  expect(refused.code).toBe(1);
  expect(jsonLines(refused.stdout)).toMatchObject([{ type: "error", code: "owned-elsewhere" }]);
  expect(refused.stderr).toContain(String(run.child.pid));

  run.child.kill("SIGKILL");
  await run.ended;
  const taken = await home.run(["run", "--session", sessionId, "say: mine now"]);
  expect(taken).toMatchObject({ code: 0, stdout: "mine now\n" });
  expect(taken.stderr).toContain("lost its host in the middle of a turn; recovered: failed (host-lost)");
});

test("lets one of two processes that race for a session have it, and tells the other", async () => {
  using home = new Home();
  const first = await home.run(["run", "--json", "say: first"]);
  const sessionId = String(eventsOf(first.stdout)[0]?.sessionId);
  const racing = ["run", "--json", "--session", sessionId, "sleep: 2"];
  const ended = await Promise.all([1, 2, 3].map(() => home.run(racing)));
  const last = ended.map(({ stdout }) => jsonLines(stdout).at(-1));
  expect(last.filter((line) => line?.["outcome"] === "completed").length).toBeGreaterThanOrEqual(1);
  for (const line of last) {
    if (line?.["type"] === "error") expect(line["code"]).toBe("owned-elsewhere");
    else expect(line).toMatchObject({ type: "result", outcome: "completed" });
  }
  const stored = eventsOf((await home.run(["events", sessionId, "--json"])).stdout);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
});
