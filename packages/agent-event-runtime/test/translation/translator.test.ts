import { describe, expect, test } from "vitest";
import {
  type AgentRuntimeEvent,
  type EventAdapter,
  type EventDraft,
  type Json,
  type RuntimeSnapshot,
  begin,
  emit,
  emptySnapshot,
  finish,
  translate,
} from "../../src/index.ts";
import { everyDraft } from "../../src/testing/index.ts";

/** An adapter whose frames are the events to emit. */
const plain: EventAdapter = {
  id: "plain",
  stateVersion: 1,
  initialState: [],
  parseState: (value) => (Array.isArray(value) ? value : undefined),
  reduce: (state, frame) => {
    if (frame.kind !== undefined) return { state, events: [] };
    if (frame.payload === "throw") throw new Error("no");
    return {
      state: [...(state as readonly Json[]), "frame"],
      events: frame.payload as readonly EventDraft[],
    };
  },
};

function told(
  snapshot: RuntimeSnapshot,
  ...events: readonly EventDraft[]
): { readonly snapshot: RuntimeSnapshot; readonly events: readonly AgentRuntimeEvent[] } {
  return translate(plain, snapshot, { dir: "received", channel: "", payload: events, at: 5 });
}

const fresh = emptySnapshot("session");
const run: EventDraft = { type: "run.started", runId: "r", origin: "user" };
const runEnd: EventDraft = { type: "run.ended", runId: "r", outcome: "completed", reason: "harness.stop" };
const message: EventDraft = { type: "message.started", messageId: "m", role: "assistant", runId: "r" };
const tool: EventDraft = { type: "tool.started", callId: "t", name: "bash", kind: "execute", runId: "r" };

describe("the translator", () => {
  test("stamps events with the session, the adapter, the frame and its time", () => {
    expect(told(fresh, run).events).toEqual([
      { v: 1, seq: 1, sessionId: "session", time: 5, adapter: "plain", frame: 1, ...run },
    ]);
  });

  test("ends what a run leaves open, innermost first", () => {
    const { events, snapshot } = told(fresh, run, message, tool, runEnd);
    expect(events.slice(3)).toMatchObject([
      { type: "tool.ended", callId: "t", outcome: "abandoned", runId: "r" },
      { type: "message.ended", messageId: "m", outcome: "abandoned" },
      { type: "run.ended" },
    ]);
    expect(snapshot.open).toEqual([]);
  });

  test("ends what a cancelled run leaves open as cancelled", () => {
    const input: EventDraft = { type: "input.sent", inputId: "in", parts: [] };
    const joined: EventDraft = { type: "input.joined", inputId: "in", runId: "r" };
    const { events } = told(fresh, input, run, joined, tool, { ...runEnd, outcome: "cancelled" });
    expect(events.slice(4)).toMatchObject([
      { type: "tool.ended", outcome: "cancelled" },
      { type: "input.ended", inputId: "in", outcome: "cancelled" },
      { type: "run.ended" },
    ]);
  });

  test("leaves a tool call that moved to a task to the task", () => {
    const task: EventDraft = {
      type: "task.started",
      taskId: "k",
      kind: "background",
      callId: "t",
      runId: "r",
    };
    const ended = told(fresh, run, tool, task, runEnd);
    expect(ended.snapshot.open.map(({ kind }) => kind)).toEqual(["tool", "task"]);
    const late = told(ended.snapshot, { type: "tool.ended", callId: "t", outcome: "ok" });
    expect(late.events).toMatchObject([{ type: "tool.ended", runId: "r", late: true }]);
  });

  test("turns a second start or end into a diagnostic", () => {
    const { events } = told(fresh, run, message, message, {
      type: "message.ended",
      messageId: "m",
      outcome: "completed",
    });
    expect(events[2]).toMatchObject({
      type: "diagnostic",
      code: "adapter.unbalanced",
      message: 'Dropped message.started of message "m", which is open already.',
    });
    expect(told(fresh, { type: "tool.ended", callId: "t", outcome: "ok" }).events).toMatchObject([
      { code: "adapter.unbalanced" },
    ]);
  });

  test("counts the 64 latest codes, however many an adapter makes up", () => {
    const diagnostics = Array.from({ length: 100 }, (_, index): EventDraft => {
      return { type: "diagnostic", code: `plain.${index}`, severity: "info", message: "Again." };
    });
    const { snapshot, events } = told(fresh, ...diagnostics);
    expect([events.length, snapshot.diagnostics.length]).toEqual([100, 64]);
    expect(snapshot.diagnostics.at(-1)).toEqual(["plain.99", 1]);
  });

  test("tells the 1st, 10th, 100th and 1000th diagnostic of a code", () => {
    const stray: EventDraft = { type: "diagnostic", code: "x", severity: "info", message: "again" };
    const { events } = emit(
      fresh,
      Array.from({ length: 1200 }, () => stray),
      0,
    );
    expect(events.map((event) => (event.type === "diagnostic" ? (event.count ?? 1) : 0))).toEqual([
      1, 10, 100, 1000,
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test("survives an adapter that throws, keeping its state", () => {
    const before = told(fresh, run).snapshot;
    const { events, snapshot } = translate(plain, before, {
      dir: "received",
      channel: "",
      payload: "throw",
      at: 6,
    });
    expect(events).toMatchObject([{ code: "adapter.threw", severity: "error", frame: 2 }]);
    expect(snapshot.state).toBe(before.state);
  });

  test("reports a broken line with its beginning", () => {
    const { events } = translate(plain, fresh, {
      kind: "broken",
      text: "x".repeat(500),
      bytes: 9000,
      reason: "not JSON",
      at: 1,
    });
    expect(events).toMatchObject([{ code: "frame.broken", detail: { text: "x".repeat(200), bytes: 9000 } }]);
  });

  test("ends an input that could not be written as lost", () => {
    const before = told(fresh, { type: "input.sent", inputId: "in", parts: [] }).snapshot;
    const frame = { dir: "sent", channel: "", payload: {}, at: 1, note: { inputId: "in" } } as const;
    const { events } = translate(plain, before, { kind: "unsent", frame, reason: "EPIPE", at: 1 });
    expect(events).toMatchObject([
      { code: "input.unsent" },
      { type: "input.ended", inputId: "in", outcome: "lost" },
    ]);
  });

  test("gives inputs and the runs that users caused to the turn that has started", () => {
    const turn: readonly EventDraft[] = [
      { type: "turn.queued", turnId: "turn", inputId: "in", input: [] },
      { type: "turn.started", turnId: "turn" },
    ];
    const queued = emit(fresh, turn, 1).snapshot;
    const { events } = told(queued, { type: "input.sent", inputId: "in", parts: [] }, run, message);
    expect(events.map(({ turnId }) => turnId)).toEqual(["turn", "turn", "turn"]);
    const own = told(queued, { ...run, origin: "harness" });
    expect(own.events[0]?.turnId).toBeUndefined();
  });

  test("finish closes everything but the host's own things, and the adapter's state", () => {
    const host: EventDraft = { type: "turn.queued", turnId: "turn", inputId: "in", input: [] };
    const before = told(emit(fresh, [host], 1).snapshot, run, message).snapshot;
    const { events, snapshot } = finish(plain, before, "lost", 9);
    expect(events).toMatchObject([
      { type: "message.ended" },
      { type: "run.ended", outcome: "failed", reason: "connection-lost" },
    ]);
    expect(snapshot.open.map(({ kind }) => kind)).toEqual(["turn"]);
    expect(snapshot.state).toEqual([]);
  });

  test("prefixes the ids of later connections, except those of inputs", () => {
    const second = begin(plain, begin(plain, fresh, 1).snapshot, 2).snapshot;
    const { events } = told(second, run, message, { type: "input.sent", inputId: "in", parts: [] });
    expect(events).toMatchObject([
      { runId: "c2.r" },
      { messageId: "c2.m", runId: "c2.r" },
      { inputId: "in" },
    ]);
  });

  test("lets adapters ask for open things by the ids that they gave", () => {
    const asked: unknown[] = [];
    const curious: EventAdapter = {
      ...plain,
      reduce: (state, frame, context) => {
        asked.push([
          context.isOpen("run", "r"),
          context.isOpen("input", "in"),
          context.isOpen("harness", "harness"),
          context.wasEnded("tool", "t"),
        ]);
        return plain.reduce(state, frame, context);
      },
    };
    const harness: EventDraft = {
      type: "harness.started",
      harnessId: "x",
      access: "native",
      connection: 2,
      resumed: false,
    };
    const second = begin(curious, begin(curious, fresh, 1).snapshot, 2).snapshot;
    const started = told(
      emit(second, [harness], 2).snapshot,
      run,
      { type: "input.sent", inputId: "in", parts: [] },
      tool,
      { type: "tool.ended", callId: "t", outcome: "ok" },
    );
    translate(curious, started.snapshot, { dir: "received", channel: "", payload: [], at: 3 });
    expect(asked).toEqual([[true, true, true, true]]);
  });

  test.each<[string, Partial<RuntimeSnapshot>]>([
    ["of another adapter", { adapter: "other" }],
    ["of a later version", { stateVersion: 2 }],
    ["that is garbage", { state: "garbage" }],
  ])("closes a stored session with a state %s, and goes on", (_name, change) => {
    const stored = { ...told(fresh, run).snapshot, ...change };
    const { events, snapshot } = translate(plain, stored, {
      dir: "received",
      channel: "",
      payload: [{ ...run, runId: "r2" }],
      at: 7,
    });
    expect(events).toMatchObject([
      { seq: 2, code: "snapshot.unusable" },
      { seq: 3, type: "run.ended", runId: "r", reason: "connection-lost" },
      { seq: 4, type: "run.started", runId: "r2" },
    ]);
    expect(snapshot).toMatchObject({ adapter: "plain", stateVersion: 1 });
  });

  test("numbers every type of event", () => {
    const { events } = emit(fresh, everyDraft, 1);
    expect(events.map(({ type }) => type)).toEqual(everyDraft.map(({ type }) => type));
    expect(events.filter((event) => event.type === "diagnostic")).toHaveLength(1);
  });

  test("gives the envelope itself, whatever an adapter says of it", () => {
    const forged = { seq: 99, sessionId: "other", time: 0, adapter: "x", frame: 99, v: 2 };
    const { events } = told(
      fresh,
      { ...run, ...forged },
      {
        type: "diagnostic",
        code: "c",
        severity: "info",
        message: "m",
        ...forged,
      },
    );
    const envelope = { v: 1, sessionId: "session", time: 5, adapter: "plain", frame: 1 };
    expect(events).toMatchObject([
      { ...envelope, seq: 1 },
      { ...envelope, seq: 2 },
    ]);
  });
});
