import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endMarked, findMarked } from "../../../src/harness/process-registry.ts";
import { PiLab, scratch } from "./pi-lab.ts";

test("cancels a run in the middle of its text", async () => {
  const talk = await new PiLab().connect();
  await talk.send(`say: ${"words ".repeat(20_000)}`);
  await talk.until(
    "message.delta",
    (delta) => delta.text.includes("words") && talk.all("message.delta").length > 5,
  );
  const asked = Date.now();
  await talk.interrupt();
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "cancelled" });
  expect(Date.now() - asked).toBeLessThan(2000);
  expect(await talk.run("say: next")).toMatchObject({ outcome: "completed" });
});

test("cancels a run in the middle of a tool and ends the tool's process", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.send("sleep: 30");
  await talk.until("tool.started");
  await expect.poll(() => findMarked({ owner: lab.owner }).processes.length).toBeGreaterThan(0);
  const asked = Date.now();
  await talk.interrupt();
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "cancelled" });
  expect(Date.now() - asked).toBeLessThan(3000);
  await expect.poll(() => findMarked({ owner: lab.owner }).processes).toEqual([]);
});

test("cancels a run whose grandchild has left the process group, and the registry ends that one", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.send("exec: setsid sleep 300 & wait", "turn-s");
  await expect
    .poll(() => findMarked({ turn: "turn-s" }).processes.map((one) => one.command))
    .toContain("sleep 300");
  await talk.interrupt();
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "cancelled" });
  const { ended, survived } = await endMarked({ turn: "turn-s" }, { termMs: 1000, killMs: 1000 });
  expect(ended.map((one) => one.command)).toEqual(["sleep 300"]);
  expect(survived).toEqual([]);
});

test.each([0, 1, 2, 4, 8, 16, 32])("cancels a prompt %i ticks after it was handed over", async (ticks) => {
  const lab = new PiLab();
  const talk = await lab.connect();
  const { connection } = talk;
  const prompt = connection.prompt({
    turnId: "t",
    inputId: "i",
    parts: [{ type: "text", text: "exec: sleep 30" }],
  });
  talk.take(prompt);
  const writes = [connection.write(prompt)];
  for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
  writes.push(connection.write(connection.interrupt()));
  await Promise.all(writes);
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "cancelled" });
  expect(talk.all("tool.ended")).toEqual([]);
  expect(await talk.run("say: next")).toMatchObject({ outcome: "completed" });
});

test("answers an interrupt while nothing runs, and lets the next prompt run", async () => {
  const talk = await new PiLab().connect();
  await talk.interrupt();
  expect(await talk.run("say: still here")).toMatchObject({ outcome: "completed" });
});

test("refuses a second prompt while one runs", async () => {
  const talk = await new PiLab().connect();
  await talk.send("sleep: 0.3");
  await talk.send("say: too early");
  expect(await talk.until("input.ended", (input) => input.outcome === "refused")).toMatchObject({
    inputId: "i2",
  });
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "completed" });
});

test("closes in the middle of a run, twice, within its grace", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.send("exec: trap '' TERM; sleep 30");
  await talk.until("tool.started");
  const asked = Date.now();
  await Promise.all([talk.connection.close(2000), talk.connection.close(2000)]);
  await talk.connection.close(0);
  expect(Date.now() - asked).toBeLessThan(4000);
  await expect(talk.until("session.deleted")).rejects.toThrow("over before");
  await expect(talk.send("say: too late")).rejects.toMatchObject({ code: "closed" });
  expect(talk.all("run.ended")).toMatchObject([{ outcome: "cancelled" }]);
});

test("closes a connection that nobody reads and that has far too much to say", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  const part = { type: "text", text: `say: ${"x".repeat(5_000_000)}` } as const;
  await talk.connection.write(talk.connection.prompt({ turnId: "t", inputId: "big", parts: [part] }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const asked = Date.now();
  await talk.connection.close(3000);
  expect(Date.now() - asked).toBeLessThan(2000);
  expect(await talk.connection.read()).not.toBeUndefined();
  expect(await talk.connection.read()).toBeUndefined();
});

test("leaves a home untouched, prints nothing, throws nothing aside and lets its process exit", async () => {
  const home = mkdtempSync(join(scratch(), "home-"));
  const root = scratch();
  const { code, output } = await runProgram(new URL("./programs/whole-life.ts", import.meta.url), {
    HOME: home,
    LAB_ROOT: root,
  });
  expect({ code, output }).toEqual({ code: 0, output: "completed failed cancelled\n" });
  expect(readdirSync(home, { recursive: true })).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual(["agent", "sessions", "workspace"]);
  expect(readdirSync(join(root, "agent")).toSorted()).toEqual(["auth.json", "models-store.json"]);
});

async function runProgram(file: URL, env: Readonly<Record<string, string>>) {
  const program = fileURLToPath(file);
  const child = spawn(process.execPath, ["--conditions=@claxedo/source", program], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}
