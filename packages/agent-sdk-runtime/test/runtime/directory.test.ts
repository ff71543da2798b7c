// The directory of a session, while a turn works in it.
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AgentRuntime, Turn } from "@claxedo/agent-sdk-runtime";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { scriptedHarness } from "@claxedo/agent-sdk-runtime/testing";
import { eventOf, eventsOf, newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();
/** Long enough to be looked at twice. */
const WATCHED_MS = 4500;

interface Work {
  readonly runtime: AgentRuntime;
  readonly sessionId: string;
  readonly turn: Turn;
  readonly directory: string;
}

/** A turn at work, in a directory of its own. */
async function work(input: string, name = "work"): Promise<Work> {
  const store = memoryStore({ of: memoryDatabase() });
  const runtime = stage.host({ harnesses: [scriptedHarness()] }, store);
  const directory = join(stage.folder, name);
  mkdirSync(directory);
  const { id: sessionId } = await newSession(runtime, directory, { id: "pi" });
  const turn = await runtime.turns.start({ sessionId, input });
  await eventOf(runtime, sessionId, "run.started");
  return { runtime, sessionId, turn, directory };
}

interface Harmless {
  readonly what: string;
  readonly input: string;
  readonly happens: (directory: string) => void;
}

const harmless: readonly Harmless[] = [
  { what: "changes", input: "never", happens: (path) => writeFileSync(join(path, "notes.txt"), "new") },
  {
    what: "is moved and moved back",
    input: "never",
    happens: (path) => {
      renameSync(path, `${path}-moved`);
      renameSync(`${path}-moved`, path);
    },
  },
  {
    what: "cannot be looked at",
    input: "never",
    happens: (path) => {
      renameSync(path, `${path}-moved`);
      symlinkSync(path, path);
    },
  },
  {
    what: "is deleted after the turn",
    input: "answer",
    happens: (path) => rmSync(path, { recursive: true }),
  },
];

/** What this process has open of a directory, a deleted one included. */
function handlesOf(directory: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(join("/proc/self/fd", fd));
      return target.startsWith(directory) ? [target] : [];
    } catch {
      return []; // that of the listing itself
    }
  });
}

describe("a turn's directory", () => {
  test("that is deleted and made again ends the turn as failed, and the next works in the new one", async () => {
    const { runtime, sessionId, turn, directory } = await work("never");
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    const result = await turn.settled;
    expect(result).toMatchObject({
      outcome: "failed",
      reason: "directory-missing",
      error: { code: "directory-missing" },
    });
    expect(result.error?.message).toContain(`${directory} is another one than when this turn began`);
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    expect((await next.settled).outcome).toBe("completed");
  });

  test(`leaves the harness alone when it ${harmless.map(({ what }) => what).join(", ")}`, async () => {
    const endings = harmless.map(async ({ what, input, happens }) => {
      const { runtime, sessionId, turn, directory } = await work(input, what);
      if (input === "answer") await turn.settled;
      happens(directory);
      await delay(WATCHED_MS);
      return [what, await eventsOf(runtime, sessionId, "harness.ended")];
    });
    expect(await Promise.all(endings)).toEqual(harmless.map(({ what }) => [what, []]));
  });

  test("is held once while its connection is up, and let go when the runtime is closed", async () => {
    const { runtime, sessionId, turn, directory } = await work("answer", "held");
    await turn.settled;
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    const next = await runtime.turns.start({ sessionId, input: "answer" });
    await next.settled;
    expect(handlesOf(directory)).toEqual([directory]);
    await runtime.close();
    expect(handlesOf(directory)).toEqual([]);
  });

  test("that is deleted while the turn is cancelled does not make it a failed one", async () => {
    const { runtime, sessionId, turn, directory } = await work("stubborn");
    const cancelled = runtime.turns.cancel({ sessionId, turnId: turn.id, graceMs: 2 * WATCHED_MS });
    rmSync(directory, { recursive: true });
    expect((await cancelled).status).toBe("cancelled");
  });
});
