import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { pi } from "../../../src/harnesses/index.ts";
import { PiLab, scratch } from "./pi-lab.ts";

interface Told {
  readonly type: string;
  readonly complete?: boolean;
  readonly message?: { readonly role: string };
}

async function told(binding: Json): Promise<readonly Told[]> {
  return (await pi().history(binding)).map((frame) => frame.payload as Told);
}

test("tells a whole answer as complete, from the last prompt on", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.run("say: earlier");
  const binding = talk.connection.binding();
  await talk.run("exec: echo now");
  const frames = await pi().history(binding);
  expect(frames.every((frame) => frame.channel === "history" && frame.dir === "received")).toBe(true);
  const payloads = frames.map((frame) => frame.payload as Told);
  expect(payloads.map((payload) => payload.message?.role ?? payload.type)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "assistant",
    "end",
  ]);
  expect(payloads.at(-1)).toEqual({ type: "end", complete: true });
});

test("tells a cancelled answer as incomplete", async () => {
  const talk = await new PiLab().connect();
  const binding = talk.connection.binding();
  await talk.send("sleep: 30");
  await talk.until("tool.started");
  await talk.interrupt();
  await talk.until("run.ended");
  expect((await told(binding)).at(-1)).toEqual({ type: "end", complete: false });
});

test("tells an answer that was cut anywhere as incomplete", async () => {
  const talk = await new PiLab().connect();
  const binding = talk.connection.binding() as { readonly sessionFile: string; readonly cursor: string };
  await talk.run("exec: echo one\nexec: echo two");
  const whole = readFileSync(binding.sessionFile);
  const cut = join(scratch(), "cut.jsonl");
  const seen = new Set<string>();
  for (let end = 0; end < whole.length - 1; end += 37) {
    writeFileSync(cut, whole.subarray(0, end));
    const payloads = await told({ ...binding, sessionFile: cut });
    seen.add(payloads.map((payload) => payload.message?.role ?? String(payload.complete)).join(" "));
  }
  expect([...seen]).toEqual([
    "",
    "false",
    "user false",
    "user assistant false",
    "user assistant toolResult false",
    "user assistant toolResult assistant false",
    "user assistant toolResult assistant toolResult false",
  ]);
});

test("leaves out lines it cannot read", async () => {
  const talk = await new PiLab().connect();
  const binding = talk.connection.binding() as { readonly sessionFile: string };
  await talk.run("say: fine \u2028 text");
  appendFileSync(
    binding.sessionFile,
    '\nnot json\n[1]\nnull\n{"type":"message"}\n{"type":"from the future"}\n{"type":"mess',
  );
  expect((await told({ ...binding })).at(-1)).toEqual({ type: "end", complete: true });
});

test("tells nothing without a file, without its entry, and for a binding that is none", async () => {
  const talk = await new PiLab().connect();
  const binding = talk.connection.binding() as { readonly sessionFile: string };
  expect(await told(binding)).toEqual([]);
  await talk.run("say: hello");
  expect(await told({ ...binding, cursor: "00000000" })).toEqual([]);
  for (const odd of [null, 1, "x", [], {}]) expect(await told(odd)).toEqual([]);
});
