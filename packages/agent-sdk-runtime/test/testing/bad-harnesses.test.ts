import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import { harnessConformance } from "../../src/testing/index.ts";
import { claude, scripted } from "./scripted-subjects.ts";
import { allowed, answering, type Bad, edited, nothing, reading, spoilt, typeOf } from "./spoilt-harness.ts";

const never = new Promise<never>(() => undefined);
const shared: RawFrame[] = [];
let closed = 0;

/** Harnesses that break one promise each, and the case that must find it. */
const bad: readonly (readonly [id: string, fault: string, bad: Bad])[] = [
  [
    "harness-manifest",
    "says that it resumes, and does not",
    { harness: (real) => ({ capabilities: { ...real.capabilities, resume: true } }) },
  ],
  ["harness-manifest", "is not well", { harness: () => ({ health: async () => ({ ok: false }) }) }],
  [
    "harness-connect",
    "has a binding that JSON cannot carry",
    { connection: () => ({ binding: () => ({ at: new Date(0) }) as unknown as Json }) },
  ],
  ["harness-connect", "says that it went on from nothing", { connection: () => ({ resumed: true }) }],
  [
    "harness-directory",
    "starts in a directory that is not there",
    { harness: (real) => ({ connect: (request) => real.connect({ ...request, directory: tmpdir() }) }) },
  ],
  [
    "harness-directory",
    "throws what has no code",
    {
      harness: (real) => ({
        connect: (request) =>
          real.connect(request).catch((error: Error) => Promise.reject(new Error(error.message))),
      }),
    },
  ],
  ["harness-model", "takes any model", { supports: { models: true } }],
  [
    "harness-aborted",
    "connects for nobody",
    {
      harness: (real) => ({
        connect: (request) => real.connect({ ...request, signal: new AbortController().signal }),
      }),
    },
  ],
  [
    "harness-strange-binding",
    "falls over a binding that it does not know",
    {
      harness: (real) => ({
        async connect(request) {
          if (request.binding !== undefined) (request.binding as unknown as { id: string }).id.trim();
          return real.connect(request);
        },
      }),
    },
  ],
  [
    "harness-strange-history",
    "falls over a record that is not there",
    {
      harness: () => ({
        history: async (binding) => (binding as unknown as { record: WireFrame[] }).record.slice(),
      }),
    },
  ],
  [
    "harness-handover",
    "leaves out what was said before",
    {
      connection: (real) => ({
        prompt({ turnId, inputId, parts }) {
          return real.prompt({ turnId, inputId, parts });
        },
      }),
    },
  ],
  [
    "harness-handover",
    "tells what was said before as the user's words",
    {
      connection: (real) => ({
        prompt(request) {
          return { ...real.prompt(request), note: { inputId: request.inputId } };
        },
      }),
    },
  ],
  ["harness-resume", "starts afresh whatever it is given", { supports: { resume: true } }],
  ["harness-history", "has nothing to tell", { supports: { history: true } }],
  [
    "harness-history",
    "tells its history on the channel of the pipe",
    {
      supports: { history: true },
      harness: () => ({
        history: async () => [{ dir: "received", channel: "", payload: { type: "message" }, at: 0 }],
      }),
    },
  ],
  [
    "harness-death",
    "does not notice that its program is dead",
    { connection: (real) => ({ read: async () => (await real.read()) ?? never }) },
  ],
  [
    "harness-death",
    "writes to a dead program",
    { connection: (real) => ({ write: (frame) => real.write(frame).catch(() => undefined) }) },
  ],
  [
    "harness-close-twice",
    "cannot be closed twice",
    {
      connection: (real) => ({
        async close(graceMs) {
          closed += 1;
          if (closed > 1) throw new Error("It is closed already.");
          await real.close(graceMs);
        },
      }),
    },
  ],
  ["harness-close-twice", "does not come back from closing", { connection: () => ({ close: () => never }) }],
  [
    "harness-closed",
    "writes after it was closed",
    { connection: (real) => ({ write: (frame) => real.write(frame).catch(() => undefined) }) },
  ],
  [
    "harness-close-reading",
    "leaves a reader waiting",
    {
      connection: (real) => {
        let over = false;
        return {
          async close(graceMs) {
            over = true;
            await real.close(graceMs);
          },
          async read() {
            const frames = await real.read();
            return frames === undefined && over ? never : frames;
          },
        };
      },
    },
  ],
  ["harness-close-working", "waits for the end of the work", { connection: () => ({ close: () => never }) }],
  [
    "harness-close-unread",
    "waits for somebody to read",
    {
      connection: (real) => {
        let read = false;
        return {
          read: () => ((read = true), real.read()),
          close: async (graceMs) => (read ? real.close(graceMs) : never),
        };
      },
    },
  ],
  ["harness-answer", "loses the end of a run", reading((payload) => typeOf(payload) !== "agent_settled")],
  ["harness-answer", "says nothing", reading((payload) => !JSON.stringify(payload).includes("assistant"))],
  [
    "harness-answer",
    "answers one prompt only",
    {
      connection: (real) => {
        let prompts = 0;
        return {
          async write(frame) {
            prompts += 1;
            if (prompts === 1) await real.write(frame);
          },
        };
      },
    },
  ],
  [
    "harness-input",
    "trims what it is given",
    {
      connection: (real) => ({
        prompt(request) {
          const parts = request.parts.map((part) =>
            part.type === "text" ? { ...part, text: part.text.trim() } : part,
          );
          return real.prompt({ ...request, parts });
        },
      }),
    },
  ],
  [
    "harness-input",
    "forgets which input it is",
    {
      connection: (real) => ({
        prompt(request) {
          const { note: _, ...frame } = real.prompt(request);
          return frame;
        },
      }),
    },
  ],
  [
    "harness-makes-frames",
    "writes when a frame is made",
    {
      connection: (real) => ({
        prompt(request) {
          const frame = real.prompt(request);
          void real.write(frame);
          return frame;
        },
        write: async (frame) => (typeOf(frame.payload as Json) === "prompt" ? undefined : real.write(frame)),
      }),
    },
  ],
  ["harness-stream", "tells the whole only", reading((payload) => typeOf(payload) !== "message_update")],
  ["harness-fail", "completes what went wrong", { prompts: { fail: "answer nothing wrong" } }],
  [
    "harness-garbage",
    "drops what it cannot read",
    reading((payload, frame) => frame.kind !== "broken" && typeOf(payload) !== "no_such_event"),
  ],
  [
    "harness-garbage",
    "ends on what it cannot read",
    {
      connection: (real) => {
        let over = false;
        return {
          async read() {
            const frames = over ? undefined : await real.read();
            over ||= frames?.some((frame) => frame.kind === "broken") ?? true;
            return frames?.slice(0, frames.findIndex((frame) => frame.kind === "broken") + 1);
          },
        };
      },
    },
  ],
  [
    "harness-cancel",
    "does not stop",
    {
      connection: (real) => ({
        write: async (frame) => (typeOf(frame.payload as Json) === "abort" ? undefined : real.write(frame)),
      }),
    },
  ],
  [
    "harness-interrupt-idle",
    "ends when it is interrupted while it does nothing",
    {
      connection: (real) => {
        let working = false;
        return {
          async write(frame) {
            if (typeOf(frame.payload as Json) === "abort" && !working) return real.close(0);
            working = true;
            await real.write(frame);
          },
        };
      },
    },
  ],
  [
    "harness-apart",
    "gives the frames of all connections to whoever reads",
    {
      connection: (real) => {
        let pumping = false;
        const pump = async (): Promise<void> => {
          for (let frames = await real.read(); frames !== undefined; frames = await real.read())
            shared.push(...frames);
        };
        return {
          async read() {
            if (!pumping) void pump();
            pumping = true;
            while (shared.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
            return shared.splice(0);
          },
        };
      },
    },
  ],
  [
    "harness-ask-allow",
    "answers when an answer is made",
    {
      all: true,
      connection: (real) => ({
        answer(answer) {
          const frame = real.answer?.(answer);
          if (frame === undefined) throw new Error("It takes no answers.");
          void real.write(frame);
          return frame;
        },
      }),
    },
  ],
  [
    "harness-ask-allow",
    "does not do what is allowed",
    {
      all: true,
      connection: (real) => ({
        write: async (frame) =>
          typeOf(frame.payload as Json) === "control_response" ? undefined : real.write(frame),
      }),
    },
  ],
  [
    "harness-ask-deny",
    "does what it was refused",
    { all: true, connection: (real) => answering(real, allowed) },
  ],
  [
    "harness-ask-deny",
    "does not say who has refused",
    {
      all: true,
      connection: (real) => answering(real, (frame) => ({ ...frame, note: { ...frame.note, by: "user" } })),
    },
  ],
  [
    "harness-ask-cancel",
    "waits for an answer although it is interrupted",
    {
      all: true,
      connection: (real) => ({
        write: async (frame) =>
          typeOf(frame.payload as Json) === "control_request" ? undefined : real.write(frame),
      }),
    },
  ],
  [
    "harness-question-answer",
    "forgets what was answered",
    {
      all: true,
      connection: (real) =>
        answering(real, (frame) =>
          edited(frame, (text) => text.replace(/"answers":\{[^}]*\}/u, '"answers":{}')),
        ),
    },
  ],
  [
    "harness-question-refuse",
    "takes a refusal for an answer",
    { all: true, connection: (real) => answering(real, allowed) },
  ],
  [
    "harness-offer",
    "offers with a connection what it does not offer without",
    { all: true, connection: () => ({ offer: async () => ({ models: [], modes: [], commands: [] }) }) },
  ],
  ["harness-offer", "has nothing to offer", { all: true, harness: () => ({ offer: async () => nothing }) }],
  [
    "harness-offer-refused",
    "offers something to nobody",
    {
      all: true,
      harness: (real) => ({
        offer: (request) =>
          real.offer?.({ ...request, signal: new AbortController().signal }) ?? Promise.resolve(nothing),
      }),
    },
  ],
  [
    "harness-mode",
    "starts in a mode of its own",
    {
      all: true,
      harness: (real) => ({
        connect: (request) => real.connect({ ...request, mode: "default" }),
      }),
    },
  ],
  [
    "harness-configure",
    "keeps its settings",
    { all: true, connection: () => ({ configure: async () => undefined }) },
  ],
  [
    "harness-configure-refused",
    "takes a mode that there is not",
    {
      all: true,
      connection: (real) => ({
        configure: (change) => real.configure?.(change).catch(() => undefined) ?? never,
      }),
    },
  ],
  [
    "harness-steer",
    "does not take up what comes while it works",
    {
      all: true,
      connection: (real) => {
        let prompts = 0;
        return {
          async write(frame) {
            if (typeOf(frame.payload as Json) === "user") prompts += 1;
            if (prompts !== 2) await real.write(frame);
          },
        };
      },
    },
  ],
  [
    "harness-steer-cancel",
    "answers what was to be dropped",
    {
      all: true,
      connection: (real) => ({
        interrupt: () => edited(real.interrupt(), (text) => text.replace('"interrupt"', '"pardon"')),
        write: async (frame) => {
          if (!JSON.stringify(frame.payload).includes("pardon")) await real.write(frame);
        },
      }),
    },
  ],
  [
    "harness-task-stop",
    "stops nothing",
    { all: true, connection: () => ({ stopTask: async () => undefined }) },
  ],
  [
    "harness-task-report",
    "keeps the end of its work to itself",
    { all: true, ...reading((payload) => !JSON.stringify(payload).includes("task-notification")) },
  ],
];

function casesFor(one: Bad) {
  return harnessConformance({
    stage() {
      const directory = mkdtempSync(join(tmpdir(), "claxedo-bad-"));
      return {
        harness: spoilt(one),
        directory,
        remove: () => rmSync(directory, { recursive: true, force: true }),
      };
    },
    prompts: { ...(one.all === undefined ? scripted : claude).prompts, ...one.prompts },
    supports: one.supports ?? (one.all === undefined ? scripted : claude).supports,
    patienceMs: 400,
  });
}

describe("the kit finds harnesses that break a promise", () => {
  test.each(bad)("%s: a harness that %s", async (id, _fault, one) => {
    const found = casesFor(one).find((known) => known.id === id);
    expect(found, `no case is called ${id}`).toBeDefined();
    await expect(found?.run()).rejects.toThrow();
  });

  test("has no case that no bad harness fails", () => {
    const supports = { ...claude.supports, history: true, models: true };
    const all = casesFor({ all: true, supports, prompts: { fail: "x", stream: "x" } });
    const failed = new Set(bad.map(([id]) => id));
    expect(all.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
  });

  test("and lets a sound one pass", async () => {
    for (const { run } of [...casesFor({}), ...casesFor({ all: true })])
      await expect(run()).resolves.toBeUndefined();
  });
});
