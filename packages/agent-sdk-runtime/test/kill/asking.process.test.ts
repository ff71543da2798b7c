import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { scriptedClaude } from "@claxedo/agent-sdk-runtime/testing";

const host = fileURLToPath(new URL("asking-host.mjs", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-asking-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the host with these inputs until its agent asks, and kills it then; answers the id of its session. */
async function killedWhileAsking(...inputs: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [host, folder, ...inputs], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (output.endsWith("\n")) child.kill("SIGKILL");
  });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await once(child, "close");
  clearTimeout(tooLong);
  return output.trim();
}

describe("after kill -9 while the agent asks", () => {
  test("in a turn, nothing is allowed, and nothing stays open", async () => {
    const sessionId = await killedWhileAsking("background", "ask");
    await using runtime = createAgentRuntime({
      store: sqliteStore({ path: join(folder, "store.db") }),
      harnesses: [scriptedClaude()],
    });
    expect(await runtime.ready).toEqual({ recovered: [sessionId], failed: [] });
    const [ask] = await runtime.permissions.list(sessionId);
    expect(ask).toMatchObject({ status: "ended", outcome: "cancelled" });
    const answer = { sessionId, requestId: ask?.requestId ?? "", optionId: "allow" };
    await expect(runtime.permissions.answer(answer)).rejects.toMatchObject({ code: "ask-ended" });
    expect(await runtime.tasks.list(sessionId)).toEqual([]);
    expect(await runtime.sessions.get(sessionId)).toMatchObject({
      status: "idle",
      asks: 0,
      mode: "default",
      costUsd: 0.01,
      lastTurn: { status: "failed", reason: "host-lost" },
    });
  }, 60_000);

  test("in the background of a session that was cleared, the next host goes on with the new one", async () => {
    const sessionId = await killedWhileAsking("background ask", "/clear");
    const harness = scriptedClaude();
    await using runtime = createAgentRuntime({
      store: sqliteStore({ path: join(folder, "store.db") }),
      harnesses: [harness],
    });
    expect(await runtime.ready).toEqual({ recovered: [], failed: [] });
    expect(await runtime.permissions.list(sessionId)).toMatchObject([{ outcome: "cancelled" }]);
    expect(await runtime.tasks.list(sessionId)).toEqual([]);
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
    expect(harness.stage.requests).toMatchObject([{ binding: { sessionId: "scripted-2" } }]);
  }, 60_000);
});
