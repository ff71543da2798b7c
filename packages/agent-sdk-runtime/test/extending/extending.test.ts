import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apply, emptyProjection } from "@claxedo/agent-event-runtime";
import {
  type AdapterSubject,
  adapterConformance,
  frame,
  play,
  projectionConformance,
  received,
  sent,
} from "@claxedo/agent-event-runtime/testing";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { harnessConformance, manualClock, storeConformance } from "@claxedo/agent-sdk-runtime/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditedStore } from "./audited-store.ts";
import { type Loudness, loudness } from "./loudness.ts";
import { shoutAdapter } from "./shout-adapter.ts";
import { shout } from "./shout-harness.ts";

const PROGRAM = fileURLToPath(new URL("shout-agent.mjs", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-extending-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("an adapter, a harness, a store and a view of one's own", () => {
  test("run a turn together, with no privilege of the built-in ones missing", async () => {
    const trail = join(folder, "trail.jsonl");
    const clock = manualClock(1_000);
    const runtime = createAgentRuntime({
      store: auditedStore(memoryStore(), trail),
      harnesses: [shout(PROGRAM)],
      now: clock.now,
    });
    const session = await runtime.sessions.create({ directory: folder, harness: { id: "shout" } });
    clock.advance(500);
    const turn = await runtime.turns.start({ sessionId: session.id, input: "hello there" });
    expect(await turn.settled).toMatchObject({ outcome: "completed", reason: "harness.done" });
    const { rows } = await runtime.messages.list(session.id);
    expect(rows.filter((row) => row.type === "text")).toMatchObject([{ text: "HELLO THERE " }]);
    expect(rows.filter((row) => row.type === "input")).toMatchObject([{ time: { created: 1_500 } }]);

    const events = await runtime.events.list(session.id);
    let snapshot = emptyProjection(loudness);
    const loud: Loudness[] = [];
    for (const event of events) {
      const applied = apply(loudness, snapshot, event);
      snapshot = applied.snapshot;
      loud.push(...applied.output);
    }
    expect(loud).toMatchObject([{ letters: "HELLO THERE ".length }]);

    await runtime.close();
    const lines = (await readFile(trail, "utf8")).trimEnd().split("\n");
    expect(lines.slice(0, events.length).map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });

  test("cancel, survive garbage and the death of the agent, and fail with a reason", async () => {
    await using runtime = createAgentRuntime({ store: memoryStore(), harnesses: [shout(PROGRAM)] });
    const { id: sessionId } = await runtime.sessions.create({ directory: folder, harness: { id: "shout" } });
    const noise = await runtime.turns.start({ sessionId, input: "noise" });
    expect(await noise.settled).toMatchObject({ outcome: "completed" });
    const death = await runtime.turns.start({ sessionId, input: "die" });
    expect(await death.settled).toMatchObject({ outcome: "failed", reason: "harness-crashed" });
    const waiting = await runtime.turns.start({ sessionId, input: "wait" });
    for await (const { type } of runtime.events.subscribe({ sessionId, after: waiting.seq })) {
      if (type === "run.started") break;
    }
    await runtime.turns.cancel({ sessionId, turnId: waiting.id });
    expect(await waiting.settled).toMatchObject({ outcome: "cancelled", reason: "harness.stopped" });
    const events = await runtime.events.list(sessionId, { limit: 1_000 });
    const codes = events.flatMap((event) => (event.type === "diagnostic" ? [event.code] : []));
    expect(codes).toEqual(["frame.broken"]);
    expect(events.find(({ type }) => type === "harness.ended")).toMatchObject({
      reason: "crashed",
      exit: { code: 3 },
    });
  });
});

const said: AdapterSubject = {
  adapter: () => shoutAdapter,
  recordings: [
    {
      name: "two words, a stop, and a run that is cut",
      steps: [
        sent({ prompt: "a", text: "hello there" }, "input-1"),
        received({ begin: "input-1" }),
        received({ word: "HELLO " }),
        received({ word: "THERE " }),
        received({ done: "input-1" }),
        sent({ prompt: "b", text: "wait" }, "input-2"),
        received({ begin: "input-2" }),
        sent({ stop: true }),
        received({ done: "input-2", stopped: true }),
        frame({ kind: "broken", text: "what?", bytes: 5, reason: "not JSON", at: 0 }),
        sent({ prompt: "c", text: "die" }, "input-3"),
        received({ begin: "input-3" }),
        { do: "finish", reason: "lost", at: 0 },
      ],
      runs: ["completed harness.done", "cancelled harness.stopped", "failed connection-lost"],
      inputs: ["answered", "cancelled", "lost"],
    },
  ],
  kindOf: (raw) =>
    raw.kind === undefined && JSON.stringify(raw.payload) === '{"stop":true}' ? "stop" : "other",
  silent: new Set(["stop"]),
  vocabulary: { types: ["prompt"], fields: ["prompt", "text", "stop", "begin", "word", "done", "stopped"] },
};

describe("the toy adapter keeps the laws", () => {
  test.each(adapterConformance(said))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});

describe("the toy view keeps the laws", () => {
  const histories = [play(shoutAdapter, said.recordings[0]!.steps).events];
  test.each(projectionConformance({ projection: () => loudness, histories }))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});

describe("the toy harness keeps the contract", () => {
  const cases = harnessConformance({
    async stage() {
      const directory = await mkdtemp(join(tmpdir(), "claxedo-shout-"));
      return {
        harness: shout(PROGRAM),
        directory,
        remove: () => rm(directory, { recursive: true, force: true }),
      };
    },
    prompts: { answer: "hello", work: "wait", stream: "one two three", garbage: "noise", death: "die" },
    supports: {},
  });
  test.each(cases)("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("the toy store keeps the contract", () => {
  const cases = storeConformance({
    async place() {
      const of = memoryDatabase();
      const trail = await mkdtemp(join(tmpdir(), "claxedo-audit-"));
      return {
        store: () => auditedStore(memoryStore({ of }), join(trail, "trail.jsonl")),
        remove: () => rm(trail, { recursive: true, force: true }),
      };
    },
    supports: { severalHosts: true, readers: true },
  });
  test.each(cases)("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("the pages on extending", () => {
  const pages = join(import.meta.dirname, "../../../../docs");

  test.each(["adding-a-harness.md", "writing-a-store.md"])(
    "%s shows code that is run here, word for word",
    async (page) => {
      const text = await readFile(join(pages, page), "utf8");
      const shown = [...text.matchAll(/^```(?:ts|js)\n([^]*?)^```$/gm)].map(([, code]) => code ?? "");
      const files = await readdir(import.meta.dirname);
      const run = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
      expect(shown.length).toBeGreaterThan(0);
      for (const code of shown) expect(run.some((file) => file.includes(code))).toBe(true);
    },
  );

  test("everything here comes through public entry points", async () => {
    const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".ts"));
    const code = await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
    const sources = code.flatMap((text) =>
      [...text.matchAll(/^(?:import|\}) [^"]*from "([^"]+)"/gm)].map(([, source]) => source ?? ""),
    );
    const outside = sources.filter((source) => !/^(node:|vitest$|\.\/[a-z-]+\.ts$)/.test(source));
    expect(new Set(outside)).toEqual(
      new Set([
        "@claxedo/agent-event-runtime",
        "@claxedo/agent-event-runtime/testing",
        "@claxedo/agent-sdk-runtime",
        "@claxedo/agent-sdk-runtime/stores/memory",
        "@claxedo/agent-sdk-runtime/testing",
      ]),
    );
  });
});
