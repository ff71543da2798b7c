import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAgentRuntime, type AgentRuntime, type Session, type Turn } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import type { EventType } from "@claxedo/agent-event-runtime";
import { findMarked } from "../../src/harness/process-registry.ts";

let folder: string;
let runtime: AgentRuntime;
let session: Session;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-cancel-"));
  runtime = createAgentRuntime({
    store: sqliteStore({ path: join(folder, "store.db") }),
    harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
  });
  session = await runtime.sessions.create({
    directory: folder,
    harness: { id: "pi" },
    model: "offline/scripted",
  });
});
afterEach(async () => {
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a turn and waits until its log has an event of that type. */
async function startUntil(input: string, type: EventType): Promise<Turn> {
  const turn = await runtime.turns.start({ sessionId: session.id, input });
  for await (const event of runtime.events.subscribe({ sessionId: session.id, after: turn.seq })) {
    if (event.type === type) return turn;
  }
  throw new Error(`The stream ended before ${type}.`);
}

async function cancelInTime(turn: Turn): Promise<void> {
  const began = Date.now();
  await runtime.turns.cancel({ sessionId: session.id, turnId: turn.id, graceMs: 5_000 });
  expect(Date.now() - began).toBeLessThan(7_000);
  expect((await turn.settled).outcome).toBe("cancelled");
  expect(findMarked({ turn: turn.id }).processes).toEqual([]);
}

describe("cancel, with a real agent loop", () => {
  test("ends a turn while text is streaming, and the next one works", async () => {
    await cancelInTime(await startUntil(`say: ${"on and on ".repeat(5_000)}`, "message.delta"));
    const next = await runtime.turns.start({ sessionId: session.id, input: "exec: echo again" });
    expect((await next.settled).outcome).toBe("completed");
  });

  test("ends a turn in the middle of a tool", async () => {
    await cancelInTime(await startUntil("sleep: 300", "tool.started"));
    const ended = (await runtime.events.list(session.id)).find((event) => event.type === "tool.ended");
    expect(ended).toMatchObject({ outcome: "cancelled" });
  });

  test("ends what the turn started in sessions of their own, and spares what an earlier turn left", async () => {
    const server = await runtime.turns.start({
      sessionId: session.id,
      input: "exec: setsid sleep 301 > /dev/null 2>&1 &",
    });
    await server.settled;
    expect(findMarked({ turn: server.id }).processes).toHaveLength(1);
    const turn = await startUntil(
      "exec: setsid sleep 302 & echo $! > pid; setsid -w sleep 303",
      "tool.started",
    );
    await expect.poll(() => readFile(join(folder, "pid"), "utf8").catch(() => "")).toMatch(/^\d+/);
    await cancelInTime(turn);
    expect(findMarked({ turn: server.id }).processes).toHaveLength(1);
    const owned = findMarked({ owner: (owner) => owner.includes(session.id) }).processes;
    expect(owned.map((one) => one.command)).toEqual([expect.stringContaining("sleep 301")]);
    await runtime.close();
    expect(findMarked({ turn: server.id }).processes).toEqual([]);
  });

  test("a directory that vanishes in the middle of a turn ends it with what the tools say", async () => {
    const directory = await mkdtemp(join(folder, "gone-"));
    const elsewhere = await runtime.sessions.create({
      directory,
      harness: { id: "pi" },
      model: "offline/scripted",
    });
    const input = `exec: rm -rf ${directory}; echo removed\nexec: echo unreachable > there.txt\nread: there.txt`;
    const turn = await runtime.turns.start({ sessionId: elsewhere.id, input });
    expect(["completed", "failed"]).toContain((await turn.settled).outcome);
    const failed = (await runtime.events.list(elsewhere.id)).filter(
      (event) => event.type === "tool.ended" && event.outcome === "failed",
    );
    expect(failed.length).toBeGreaterThan(0);
    const next = await runtime.turns.start({ sessionId: elsewhere.id, input: "exec: pwd" });
    expect(await next.settled).toMatchObject({ outcome: "failed", error: { code: "directory-missing" } });
    expect((await runtime.sessions.get(elsewhere.id)).turn).toBeUndefined();
  });
});
