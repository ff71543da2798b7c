import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { eventsOf, Home, jsonLines } from "./command.ts";

async function refusal(home: Home): Promise<{ readonly code: unknown; readonly message: string }> {
  const { code, stdout, stderr } = await home.run(["run", "--json", "say: x"]);
  expect(code).toBe(1);
  const lines = jsonLines(stdout);
  expect(lines).toHaveLength(1);
  const { type, code: name, message } = lines[0] ?? {};
  expect(type).toBe("error");
  expect(stderr).toBe(`claxedo: ${String(message)}\n`);
  return { code: name, message: String(message) };
}

test("names a corrupt database, and leaves it as it is (B111)", async () => {
  using home = new Home();
  mkdirSync(dirname(home.store), { recursive: true });
  writeFileSync(home.store, "no database at all, ".repeat(1_000));
  const before = readFileSync(home.store, "utf8");
  const { code, message } = await refusal(home);
  expect(code).toBe("store-corrupt");
  expect(message).toContain(home.store);
  expect(readFileSync(home.store, "utf8")).toBe(before);
});

test("names a database of which half is missing (B111)", async () => {
  using home = new Home();
  await home.run(["run", "say: x"]);
  truncateSync(home.store, Math.floor(statSync(home.store).size / 8192) * 4096);
  expect((await refusal(home)).code).toBe("store-corrupt");
});

test("names a database that a newer version wrote", async () => {
  using home = new Home();
  await home.run(["sessions"]);
  const db = new DatabaseSync(home.store);
  db.exec("pragma user_version = 999");
  db.close();
  expect((await refusal(home)).code).toBe("store-newer");
});

test("names a database that cannot be read: a folder in its place, a file in the place of its folder", async () => {
  using home = new Home();
  mkdirSync(home.store, { recursive: true });
  expect((await refusal(home)).code).toBe("store-unavailable");
  const inFile = await home.run(["sessions", "--store", "/dev/null/claxedo.db"]);
  expect(inFile).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^claxedo: .*\/dev\/null\/claxedo\.db/) as string,
  });
});

test("takes a prompt of 5 MB from standard input", async () => {
  using home = new Home();
  const prompt = "x".repeat(5 * 1024 * 1024);
  const { code, stdout } = await home.run(["run", "--json", "-"], prompt);
  expect(code).toBe(0);
  const [queued] = eventsOf(stdout);
  expect(queued?.type === "turn.queued" && queued.input).toEqual([{ type: "text", text: prompt }]);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "result", outcome: "completed" });
});

test("keeps line separators, and replaces what is no UTF-8, in a prompt", async () => {
  using home = new Home();
  const bytes = Buffer.concat([
    Buffer.from("say: a\u2028b\u2029c \u{1f600} "),
    Buffer.from([0xed, 0xa0, 0x80, 0xff]),
    Buffer.from(" z"),
  ]);
  const { code, stdout } = await home.run(["run", "--json", "-"], bytes);
  expect(code).toBe(0);
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    text: `a\u2028b\u2029c \u{1f600} ${"\ufffd".repeat(4)} z`,
  });
});

test("fails the turn when the directory has vanished meanwhile", async () => {
  using home = new Home();
  mkdirSync(join(home.root, "gone"));
  const run = await home.run(["run", "--json", "--dir", "../gone", "exec: rmdir ../gone"]);
  const sessionId = String(eventsOf(run.stdout)[0]?.sessionId);
  const again = await home.run(["run", "--session", sessionId, "say: x"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("does not exist (any more)");
});
