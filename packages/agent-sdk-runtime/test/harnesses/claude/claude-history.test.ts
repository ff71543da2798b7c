import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WireFrame } from "@claxedo/agent-event-runtime";
import { expect, onTestFinished, test } from "vitest";
import { readHistory } from "../../../src/harnesses/claude/history.ts";
import { encodeProjectFolder } from "../../../src/live/archive/project-folder.ts";
import { ClaudeLab } from "./claude-lab.ts";

const SESSION = "7123e39e-f3c4-4e7f-9400-9bce78e78aec";
const TIME = "2026-11-30T20:06:59.804Z";

/** Rows of the types that 2.1.332 writes, in its order. */
const prompt = {
  type: "user",
  uuid: "u1",
  isSidechain: false,
  message: { role: "user", content: "Hello." },
  timestamp: TIME,
};
const request = { type: "api-request", sessionId: SESSION, params: { model: "claude-opus-5-5" } };
const reminder = { type: "attachment", uuid: "a1", attachment: { type: "date", date: "2026-11-30" } };
const folded = {
  type: "attachment",
  uuid: "a2",
  attachment: { type: "queued_command", source_uuid: "u2" },
  timestamp: TIME,
};
const command = { type: "system", subtype: "local_command", uuid: "s1", content: "out", timestamp: TIME };
const answer = {
  type: "assistant",
  uuid: "m1",
  message: { role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: "Hi." }] },
  timestamp: TIME,
};
const queued = { type: "queue-operation", operation: "enqueue", content: "Hello." };

/** A transcript in its place, and a binding to it. */
class Record {
  readonly lab: ClaudeLab = new ClaudeLab();
  readonly file: string;

  constructor(...rows: readonly (object | string)[]) {
    onTestFinished(() => this.lab.remove());
    const { configDir, directory } = this.lab;
    this.file = join(configDir, "projects", encodeProjectFolder(directory), `${SESSION}.jsonl`);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, text(rows));
  }

  async frames(cursor = 0, cwd: string = this.lab.directory): Promise<readonly WireFrame[]> {
    const { configDir } = this.lab;
    const frames = await readHistory({ sessionId: SESSION, cwd, configDir, cursor });
    expect(frames.every((frame) => frame.channel === "history" && frame.dir === "received")).toBe(true);
    expect(JSON.parse(JSON.stringify(frames))).toEqual(frames);
    return frames;
  }

  async told(cursor?: number, cwd?: string): Promise<readonly unknown[]> {
    return (await this.frames(cursor, cwd)).map(({ payload }) => payload);
  }
}

function text(rows: readonly (object | string)[]): string {
  return rows.map((row) => (typeof row === "string" ? row : `${JSON.stringify(row)}\n`)).join("");
}

const end = (complete: boolean): unknown => ({ type: "history.end", complete });

test("tells the rows of the conversation in order, and leaves out the rest", async () => {
  const record = new Record(queued, prompt, reminder, request, folded, command, answer, {
    type: "cost-state",
  });
  expect(await record.told()).toEqual([prompt, folded, command, answer, end(true)]);
});

test("gives each row the time at which it was written", async () => {
  const record = new Record(prompt, { type: "user", timestamp: "some day" });
  const begun = Date.now();
  const [first, second] = await record.frames();
  expect(first?.at).toBe(Date.parse(TIME));
  expect(second?.at).toBeGreaterThanOrEqual(begun);
});

test("tells only what came after the cursor", async () => {
  const before = text([queued, prompt, answer]);
  const later = { ...prompt, uuid: "u9" };
  const record = new Record(before, later, answer);
  expect(await record.told(before.length)).toEqual([later, answer, end(true)]);
  expect(await record.told(text([before, later, answer]).length)).toEqual([end(true)]);
});

test("leaves out what is no row, wherever it stands", async () => {
  const record = new Record(
    "\n",
    "no json\n",
    "[1]\n",
    "null\n",
    prompt,
    '{"type":7}\n',
    { type: "from the future" },
    answer,
  );
  expect(await record.told()).toEqual([prompt, answer, end(true)]);
});

test("says of a record that was cut anywhere in its last row that it is not complete", async () => {
  const record = new Record(prompt, answer);
  const whole = text([prompt, answer]).length;
  const cuts = new Set<string>();
  for (let length = whole - 2; length > text([prompt]).length; length -= 17) {
    truncateSync(record.file, length);
    cuts.add(JSON.stringify(await record.told()));
  }
  expect([...cuts]).toEqual([JSON.stringify([prompt, end(false)])]);
});

test("goes on behind a row that was torn when the CLI was killed", async () => {
  const torn = text([prompt, '{"type":"assistant","mess']);
  const record = new Record(torn);
  appendFileSync(record.file, text([{ ...prompt, uuid: "u9" }, answer]));
  expect(await record.told(torn.length)).toEqual([{ ...prompt, uuid: "u9" }, answer, end(true)]);
});

test("tells nothing of a record that is shorter than it was, or gone", async () => {
  const record = new Record(prompt, answer);
  expect(await record.told(text([prompt, answer]).length + 1)).toEqual([]);
  rmSync(record.file);
  expect(await record.told()).toEqual([]);
});

test("follows no link", async () => {
  const record = new Record(prompt, answer);
  const elsewhere = join(dirname(dirname(record.file)), "elsewhere.jsonl");
  writeFileSync(elsewhere, text([prompt]));
  rmSync(record.file);
  symlinkSync(elsewhere, record.file);
  await expect(record.told()).rejects.toThrow();
});

test("finds a record that was begun in another directory", async () => {
  const record = new Record(prompt, answer);
  expect(await record.told(0, join(record.lab.root, "elsewhere"))).toEqual([prompt, answer, end(true)]);
});

test("keeps no more than some tens of megabytes", async () => {
  const row = { type: "user", message: { role: "user", content: "x".repeat(4 * 1024 * 1024) } };
  const record = new Record(prompt);
  for (let count = 0; count < 20; count += 1) appendFileSync(record.file, text([row]));
  const told = await record.told();
  expect(told.at(-1)).toEqual(end(false));
  expect(told.length).toBeLessThan(20);
});
