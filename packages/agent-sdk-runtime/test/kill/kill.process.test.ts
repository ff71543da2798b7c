import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { findMarked } from "../../src/harness/process-registry.ts";

const KILLS = Number(process.env["CLAXEDO_KILLS"] ?? 20);
const SEED = Number(process.env["CLAXEDO_SEED"] ?? Date.now() % 1_000_000);
const host = fileURLToPath(new URL("host.mjs", import.meta.url));
const prompt = [
  `say: ${"A streamed answer that takes a while to be told. ".repeat(12)}`,
  "write: notes.txt one two three",
  "exec: for i in 1 2 3; do echo tick $i; sleep 0.05; done; setsid sleep 300 > /dev/null 2>&1 &",
  "edit: notes.txt two => TWO",
  "exec: sleep 0.3; cat notes.txt",
  `say: ${"And a closing word. ".repeat(10)}`,
].join("\n");

/** A small generator with a seed, so that a failing instant can be tried again. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Killed {
  readonly sessionId: string | undefined;
  readonly seen: readonly { readonly seq: number; readonly type: string }[];
  readonly finished: boolean;
}

/** Runs the host and kills it so long after its first event; undefined lets it finish. */
async function runHost(
  folder: string,
  killAfterMs: number | undefined,
): Promise<Killed & { readonly workMs: number }> {
  const child = spawn(process.execPath, [host, folder, prompt], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: folder },
  });
  let output = "";
  let began: number | undefined;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (began !== undefined) return;
    began = Date.now();
    if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  const tooLong = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(tooLong);
  // A line cut by the kill was not seen.
  const [, ...lines] = output.split("\n").slice(0, -1);
  const seen = lines.map((line) => ({ seq: Number(line.split(" ")[0]), type: line.split(" ")[1] ?? "" }));
  return {
    sessionId: output.split("\n")[0]?.split(" ")[1],
    seen,
    finished: code === 0,
    workMs: Date.now() - (began ?? Date.now()),
  };
}

let base: string;
let workMs: number;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "claxedo-kill-"));
  const calm = await runHost(await workspace("calm"), undefined);
  expect(calm.finished).toBe(true);
  workMs = calm.workMs;
}, 120_000);

afterAll(() => rm(base, { recursive: true, force: true }));

async function workspace(name: string): Promise<string> {
  const folder = join(base, name);
  await mkdir(join(folder, "workspace"), { recursive: true });
  return folder;
}

test(
  `a host killed at any of ${KILLS} instants (seed ${SEED}) loses nothing it has told, and the next one goes on`,
  async () => {
    const random = randomFrom(SEED);
    for (let round = 0; round < KILLS; round++) {
      const folder = await workspace(`round-${round}`);
      const afterMs = Math.round(random() * workMs);
      const killed = await runHost(folder, afterMs);
      await checkAfterwards(
        folder,
        killed,
        `round ${round}, killed after ${afterMs} of ${workMs} ms, seed ${SEED}`,
      );
      await rm(folder, { recursive: true, force: true });
    }
  },
  KILLS * 30_000,
);

async function checkAfterwards(folder: string, killed: Killed, when: string): Promise<void> {
  const store = sqliteStore({ path: join(folder, "store.db") });
  await using runtime = createAgentRuntime({
    store,
    harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
  });
  await runtime.ready;
  const sessionId = killed.sessionId as string;
  const events = await runtime.events.list(sessionId, { limit: 100_000 });
  expect(
    events.map((event) => event.seq),
    when,
  ).toEqual(events.map((_, index) => index + 1));
  for (const { seq, type } of killed.seen) expect(events[seq - 1]?.type, `${when}: event ${seq}`).toBe(type);
  const turns = await runtime.turns.list(sessionId);
  for (const turn of turns) expect(["completed", "failed"], `${when}: ${turn.turnId}`).toContain(turn.status);
  expect(leftOpen(events), when).toEqual([]);
  const session = await runtime.sessions.get(sessionId);
  expect(session.status, when).toBe("idle");
  expect(findMarked({ owner: `${store.storeId}.` }).processes, when).toEqual([]);
  const next = await runtime.turns.start({ sessionId, input: "exec: echo alive" });
  expect((await next.settled).outcome, when).toBe("completed");
}

/** What was started and never ended, by the log alone. */
function leftOpen(events: readonly AgentRuntimeEvent[]): string[] {
  const keys = new Map([
    ["turn", "turnId"],
    ["run", "runId"],
    ["input", "inputId"],
    ["message", "messageId"],
    ["tool", "callId"],
    ["harness", ""],
    ["recovery", ""],
  ]);
  const open = new Set<string>();
  for (const event of events) {
    const [noun = "", verb = ""] = event.type.split(".");
    const key = keys.get(noun);
    if (key === undefined) continue;
    const id = `${noun} ${key === "" ? "" : String((event as unknown as Record<string, unknown>)[key])}`;
    if (verb === "queued" || verb === "sent" || (verb === "started" && noun !== "turn")) open.add(id);
    if (verb === "ended") open.delete(id);
  }
  return [...open];
}
