import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { DEADLINE_MS, failureOf } from "./lab.ts";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "claxedo-mock-models-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DEADLINE_MS,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("There is no stdout.");
  const [line] = (await once(stdout, "data")) as [Buffer];
  return (JSON.parse(line.toString()) as { readonly url: string }).url;
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "serves named scripts, keeps a log, is steered over HTTP, and ends on %s",
  async (signal) => {
    const folder = scratchFolder();
    const [scripts, log] = [join(folder, "scripts.json"), join(folder, "requests.jsonl")];
    writeFileSync(
      scripts,
      JSON.stringify({ slow: [[{ gate: "a b" }, { text: "Passed." }]], stuck: [{ hang: true }] }),
    );
    const child = run("--port", "0", "--scripts", scripts, "--log", log);
    const exit = once(child, "exit");
    const url = await urlOf(child);
    const get = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await fetch(url + path, init)).json();
    const ask = (directive: string): Promise<unknown> =>
      get("/v1/messages", {
        method: "POST",
        headers: { "x-api-key": "sk-secret" },
        body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: directive }] }),
      });

    const slow = ask("[[script:slow]]");
    expect(await get("/__mock/release/a%20b", { method: "POST" })).toEqual({ released: "a b" });
    expect(await slow).toMatchObject({ content: [{ text: "Passed." }] });
    expect(await get("/__mock/health")).toEqual({ ok: true, requests: 1 });
    expect(await get("/__mock/requests")).toMatchObject([
      { rule: { kind: "step", script: "slow" }, headers: { "x-api-key": "[hidden]" }, outcome: "answered" },
    ]);
    expect(await get("/__mock/other")).toHaveProperty("error");
    expect(await get("/__mock/release/%ff", { method: "POST" })).toHaveProperty("error");

    const stuck = failureOf(ask("[[script:stuck]]"));
    while (((await get("/__mock/health")) as { requests: number }).requests < 2);
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(await stuck).toContain("fetch failed");
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { number: 1, outcome: "answered" },
      { number: 2, outcome: "cut" },
    ]);
  },
);

test("says what is wrong with its arguments", async () => {
  const folder = scratchFolder();
  const scripts = join(folder, "scripts.json");
  writeFileSync(scripts, JSON.stringify({ a: [[{ txt: "x" }]] }));
  const wrong = [
    ["--port", "x"],
    ["--prot", "1"],
    ["--scripts", scripts],
    ["--scripts", join(folder, "none.json")],
    ["--log"],
  ];
  const problems = wrong.map(async (args) => {
    const child = run(...args);
    const exit = once(child, "exit");
    if (child.stderr === null) throw new Error("There is no stderr.");
    const stderr = await text(child.stderr);
    expect(await exit).toEqual([2, null]);
    expect(stderr).toContain("Usage:");
    return stderr;
  });
  expect(await Promise.all(problems)).toEqual([
    expect.stringContaining("--port takes a port, not x."),
    expect.stringContaining("--prot"),
    expect.stringContaining("scripts.a[0][0]: A block has"),
    expect.stringContaining("ENOENT"),
    expect.stringContaining("--log"),
  ]);
});
