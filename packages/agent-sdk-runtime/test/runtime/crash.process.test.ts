import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { scriptedClaude } from "@claxedo/agent-sdk-runtime/testing";
import { newSession, runtimeStage } from "./stage.ts";

const stage = runtimeStage();

/** A process that bears the mark and is deaf to SIGTERM, as a tool may be. */
async function deaf(owner: string): Promise<ChildProcess> {
  const script =
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log('up')";
  const child = spawn(process.execPath, ["-e", script], {
    env: { CLAXEDO_OWNER: owner },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve).once("close", resolve));
  return child;
}

test("B084 what a dead harness leaves is ended, and nothing of the one that comes after it", async () => {
  const harness = scriptedClaude();
  const children: ChildProcess[] = [];
  harness.stage.connect = async ({ owner = "" }) => void children.push(await deaf(owner));
  const runtime = stage.host({ harnesses: [harness] });
  const { id: sessionId } = await newSession(runtime, stage.folder);
  const dies = await runtime.turns.start({ sessionId, input: "crash" });
  const next = await runtime.turns.start({ sessionId, input: "answer Here I am." });
  expect(await dies.settled).toMatchObject({ outcome: "failed", reason: "harness-crashed" });
  expect(await next.settled).toMatchObject({ outcome: "completed" });
  const [left, kept] = children;
  await expect.poll(() => left?.signalCode).toBe("SIGKILL");
  expect([kept?.exitCode, kept?.signalCode]).toEqual([null, null]);
  await runtime.close();
  await expect.poll(() => kept?.signalCode).toBe("SIGKILL");
});
