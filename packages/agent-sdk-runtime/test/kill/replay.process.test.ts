import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

const host = fileURLToPath(new URL("host.mjs", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-replay-"));
  await mkdir(join(folder, "workspace"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a host, blocks its store once the first tool is called, and kills it when it has got so far. */
async function killWhileBlocked(prompt: string, soFar: () => Promise<boolean>): Promise<string> {
  const child = spawn(process.execPath, [host, folder, prompt], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: folder },
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  await expect.poll(() => output, { timeout: 20_000 }).toContain("tool.started");
  const blocker = new Database(join(folder, "store.db"));
  blocker.exec("BEGIN IMMEDIATE");
  await expect.poll(soFar, { timeout: 20_000 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "close");
  blocker.exec("ROLLBACK");
  blocker.close();
  return output.split("\n")[0]?.split(" ")[1] ?? "";
}

async function ownRecord(): Promise<string> {
  const sessions = join(folder, "pi-sessions");
  const files = (await readdir(sessions, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  return (await Promise.all(files.map((name) => readFile(join(sessions, name), "utf8")))).join("");
}

test("an answer that the agent finished but the log never saw is completed, and its rows are told again", async () => {
  const sessionId = await killWhileBlocked("sleep: 0.5\nsay: the very last word", async () =>
    (await ownRecord()).includes('"stopReason":"stop"'),
  );
  await using runtime = createAgentRuntime({
    store: sqliteStore({ path: join(folder, "store.db") }),
    harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
  });
  expect(await runtime.ready).toMatchObject({ recovered: [sessionId], failed: [] });
  const { lastTurn, status } = await runtime.sessions.get(sessionId);
  expect(lastTurn).toMatchObject({ status: "completed", reason: "harness.stop" });
  expect(status).toBe("idle");
  const events = await runtime.events.list(sessionId);
  const told = events.filter((event) => event.replayed);
  expect(told.some((event) => event.type === "part.ended" && event.text.includes("the very last word"))).toBe(
    true,
  );
  expect(told.some((event) => event.type === "tool.ended")).toBe(true);
  const statuses = events.filter((event) => event.type === "session.status").map((event) => event.status);
  expect(statuses.slice(-2)).toEqual(["recovering", "idle"]);
  const { rows } = await runtime.messages.list(sessionId);
  expect(rows.filter((row) => row.type === "tool")).toHaveLength(1);
  expect(rows.filter((row) => row.type === "text" && row.text.includes("the very last word"))).toHaveLength(
    1,
  );
});

test("an answer that was cut is failed with host-lost, says what is known, and is not run again", async () => {
  const sessionId = await killWhileBlocked(
    "exec: echo once >> count.txt; sleep 30\nsay: never",
    async () => (await readFile(join(folder, "workspace", "count.txt"), "utf8").catch(() => "")) !== "",
  );
  await using runtime = createAgentRuntime({
    store: sqliteStore({ path: join(folder, "store.db") }),
    harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
  });
  await runtime.ready;
  const { lastTurn } = await runtime.sessions.get(sessionId);
  expect(lastTurn).toMatchObject({ status: "failed", reason: "host-lost", error: { code: "host-lost" } });
  expect(lastTurn?.error?.message).toContain("had begun to work on it");
  const next = await runtime.turns.start({ sessionId, input: "exec: cat count.txt" });
  expect((await next.settled).outcome).toBe("completed");
  expect((await readFile(join(folder, "workspace", "count.txt"), "utf8")).trim()).toBe("once");
});
