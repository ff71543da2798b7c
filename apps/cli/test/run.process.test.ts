import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { eventsOf, Home, jsonLines } from "./command.ts";

test("runs a prompt to a settled turn and tells it on the two streams", async () => {
  using home = new Home();
  const { code, stdout, stderr } = await home.run(["run", "exec: echo hello"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "✓ bash echo hello\nDone: 1 step. The last one gave:\nhello\n",
  });
  expect(stderr).toMatch(
    /^· session [0-9a-f]{8} pi in .*\n· model offline\/scripted\n✓ completed in \d+\.\d s\n$/,
  );
});

test("keeps the store and the harness's own records from others' eyes", async () => {
  using home = new Home();
  const open = join(home.root, "open.db");
  await home.run(["run", "--store", open, "say: x"]);
  expect(statSync(open).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.root, "pi-sessions")).mode & 0o777).toBe(0o700);
  await home.run(["sessions"]);
  expect(statSync(dirname(home.store)).mode & 0o777).toBe(0o700);
  expect(statSync(home.store).mode & 0o777).toBe(0o600);
});

test("prints the stored events of the turn as JSON, and a result at the end", async () => {
  using home = new Home();
  const run = await home.run(["run", "--json", "say: Here you go\nexec: printf 'a\\tb'\nsay: All done"]);
  const lines = jsonLines(run.stdout);
  const told = eventsOf(run.stdout);
  const { sessionId, turnId } = told[0] ?? {};
  expect(run.code).toBe(0);
  expect(told[0]?.type).toBe("turn.queued");
  expect(told.at(-1)?.type).toBe("turn.ended");
  expect(Object.entries(lines.at(-1) ?? {})).toEqual([
    ["type", "result"],
    ["sessionId", sessionId],
    ["turnId", turnId],
    ["outcome", "completed"],
    ["reason", "harness.stop"],
    ["text", "All done\nDone: 1 step. The last one gave:\na\tb"],
    ["seq", told.at(-1)?.seq],
  ]);

  const stored = eventsOf((await home.run(["events", "--json", sessionId ?? ""])).stdout);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  expect(stored.slice((told[0]?.seq ?? 0) - 1, told.at(-1)?.seq)).toEqual(told);
  expect(run.stdout.startsWith(JSON.stringify(stored[(told[0]?.seq ?? 0) - 1]))).toBe(true);
});

test("works in the directory that is named, and goes on in a session by a beginning of its id", async () => {
  using home = new Home();
  const first = await home.run(["run", "--dir", "..", "--json", "write: note.txt kept"]);
  const session = String(eventsOf(first.stdout)[0]?.sessionId);
  expect(readFileSync(join(home.root, "note.txt"), "utf8")).toBe("kept");

  const short = session.slice("session_".length, "session_".length + 8);
  const second = await home.run(["run", "--session", short, "exec: cat note.txt"]);
  expect(second.stdout).toContain("kept");
  const shown = await home.run(["show", short]);
  expect(shown.stdout).toMatch(
    /> write: note\.txt kept\n✓ write note\.txt\n[^]*── completed\n\n> exec: cat note\.txt\n/,
  );

  const turn = String(eventsOf(first.stdout)[0]?.turnId);
  expect((await home.run(["show", turn.slice(0, 14)])).stdout).not.toContain("exec: cat");
  for (const conflict of [
    ["--dir", "."],
    ["--harness", "claude"],
    ["--access", "acp"],
  ]) {
    const refused = await home.run(["run", "--session", short, ...conflict, "say: x"]);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`The session has ${conflict[0]} `);
  }
});

test("takes a prompt that begins with a dash after --, and the word - itself", async () => {
  using home = new Home();
  const dashed = await home.run(["run", "--json", "--", "--help me"]);
  expect(eventsOf(dashed.stdout)[0]).toMatchObject({ input: [{ type: "text", text: "--help me" }] });
  const dash = await home.run(["run", "--json", "--", "-"], "not read");
  expect(eventsOf(dash.stdout)[0]).toMatchObject({ input: [{ type: "text", text: "-" }] });
});
