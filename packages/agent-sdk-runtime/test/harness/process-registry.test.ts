import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { ownedBySession, parseOwner } from "../../src/harness/owner-mark.ts";
import { endMarked, findMarked } from "../../src/harness/process-registry.ts";

let count = 0;

/** Starts a shell with a mark of its own in a session of its own, as pi starts bash. */
function start(command: string, mark: { readonly owner?: string; readonly turn?: string } = {}) {
  count += 1;
  const owner = mark.owner ?? `registry-${process.pid}.host.test${count}_1`;
  const env = {
    PATH: process.env["PATH"],
    CLAXEDO_OWNER: owner,
    ...(mark.turn && { CLAXEDO_TURN: mark.turn }),
  };
  const child = spawn("bash", ["-c", command], { env, detached: true, stdio: "ignore" });
  onTestFinished(async () => {
    await endMarked({ owner }, { termMs: 0, killMs: 2000 });
  });
  return { owner, child };
}

function commands(owner: string): readonly string[] {
  return findMarked({ owner }).processes.map((one) => one.command);
}

/** Time on the processor: what else the machine does hardly counts. */
function cpuMsOf(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

test("finds marked processes by the beginning of their owner, by a test of it, and by turn", async () => {
  const { owner } = start("sleep 60 & wait", { turn: "turn-7" });
  await expect.poll(() => commands(owner)).toContain("sleep 60");
  const all = findMarked({ owner }).processes;
  expect(all).toHaveLength(2);
  expect(findMarked({ owner: owner.slice(0, -2) }).processes).toEqual(all);
  expect(findMarked({ owner: (mark) => mark === owner }).processes).toEqual(all);
  expect(findMarked({ owner, turn: "turn-7" }).processes).toEqual(all);
  expect(findMarked({ owner, turn: "turn-8" }).processes).toEqual([]);
  expect(findMarked({}).processes).toEqual([]);
});

test("ends a grandchild that has left its group and its parent", async () => {
  const { owner, child } = start("setsid sleep 61 & disown; exit 0");
  await exited(child);
  await expect.poll(() => commands(owner)).toEqual(["sleep 61"]);
  const { ended, survived } = await endMarked({ owner }, { termMs: 2000, killMs: 2000 });
  expect(ended.map((one) => one.command)).toEqual(["sleep 61"]);
  expect(survived).toEqual([]);
  expect(commands(owner)).toEqual([]);
});

test("finds a child that cleared its environment", async () => {
  const { owner } = start("env -i sleep 62 & sleep 63");
  await expect.poll(() => commands(owner)).toEqual(expect.arrayContaining(["sleep 62", "sleep 63"]));
});

test("finds a child that cleared its environment when its parent is gone and a marked one is left", async () => {
  const { owner, child } = start("env -i sleep 64 & sleep 65 & exit 0");
  await exited(child);
  await expect.poll(() => commands(owner).toSorted()).toEqual(["sleep 64", "sleep 65"]);
});

test("kills what ignores the polite signal", async () => {
  const { owner } = start("trap '' TERM; while true; do sleep 0.05; done");
  // The loop runs, so the trap is set.
  await expect.poll(() => commands(owner).some((one) => one === "sleep 0.05")).toBe(true);
  const begun = Date.now();
  const { ended, survived } = await endMarked({ owner }, { termMs: 200, killMs: 2000 });
  expect(Date.now() - begun).toBeGreaterThanOrEqual(200);
  expect(ended.length).toBeGreaterThan(0);
  expect(survived).toEqual([]);
});

test("ends nothing when nothing is marked, and at once", async () => {
  const begun = Date.now();
  expect(await endMarked({ owner: "nobody.at.all_1" }, { termMs: 5000, killMs: 5000 })).toEqual({
    supported: true,
    ended: [],
    survived: [],
  });
  expect(Date.now() - begun).toBeLessThan(500);
});

test("spares the process that asks and those above it", async () => {
  const registry = new URL("../../src/harness/process-registry.ts", import.meta.url);
  const program = `
    const { findMarked } = await import("${registry.href}");
    const found = findMarked({ owner: process.env.CLAXEDO_OWNER }).processes;
    process.exitCode = found.length === 1 && found[0].command === "sleep 69" ? 0 : 1;`;
  const { child } = start(`sleep 69 & "${process.execPath}" --input-type=module -e '${program}'`);
  await exited(child);
  expect(child.exitCode).toBe(0);
});

test("looks through a few hundred processes quickly", async () => {
  const { owner } = start("for i in $(seq 300); do sleep 68 & done; wait");
  await expect.poll(() => commands(owner).length, { timeout: 10_000 }).toBe(301);
  const costs = Array.from({ length: 10 }, () => cpuMsOf(() => findMarked({ owner })));
  expect(Math.min(...costs)).toBeLessThan(50);
  const { survived } = await endMarked({ owner }, { termMs: 3000, killMs: 3000 });
  expect(survived).toEqual([]);
});

test("reads owner marks, also of sessions with dots and underscores in their ids", () => {
  const mark = { storeId: "st", hostId: "h1", sessionId: "a.b_c", connection: "12" };
  expect(parseOwner("st.h1.a.b_c_12")).toEqual(mark);
  for (const odd of ["", "st", "st.h1", "st.h1.s", "..s_1", "st.h1._1"])
    expect(parseOwner(odd)).toBeUndefined();
  const owned = ownedBySession("st", "a.b_c");
  expect([owned("st.other-host.a.b_c_3"), owned("st.h1.a.b_12"), owned("other.h1.a.b_c_1")]).toEqual([
    true,
    false,
    false,
  ]);
});
