import type { EventAdapter, RawFrame, Router } from "@claxedo/agent-event-runtime";
import { describe, expect, test } from "vitest";
import { faultsIn, sumOf } from "../src/replay/account.ts";
import { accountText } from "../src/replay/account-text.ts";
import { Connections } from "../src/replay/connections.ts";
import { adapterInPath } from "../src/replay/find-recordings.ts";
import { readNote } from "../src/replay/note.ts";
import { RecordingReader } from "../src/replay/recording-reader.ts";
import type { ReplayStep } from "../src/replay/replay-step.ts";
import { ReplayedSessions, type Telling } from "../src/replay/replayed-sessions.ts";
import { Selection } from "../src/replay/selection.ts";
import { painter } from "../src/render/style.ts";

const plain = painter(false);

/** Steps in short: `begin 0`, `received 0 {"a":1}`, `finish lost 3`. */
function short(steps: readonly ReplayStep[]): readonly string[] {
  return steps.map((step) => {
    if (step.do === "begin") return `begin ${step.at}`;
    if (step.do === "finish") return `finish ${step.reason} ${step.at}`;
    const { frame } = step;
    if (frame.kind !== undefined) return `${frame.kind} ${frame.at}`;
    const channel = frame.channel === "" ? "" : ` ${frame.channel}`;
    return `${frame.dir} ${frame.at}${channel} ${JSON.stringify(frame.payload)}`;
  });
}

function read(file: string | Uint8Array, silenceMs?: number): readonly string[] {
  const reader = new RecordingReader(new Connections(silenceMs));
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  return short([...reader.push(bytes), ...reader.end()]);
}

function recording(
  ...lines: readonly (readonly [t: number, dir: string, line: unknown, more?: object])[]
): string {
  return lines.map(([t, dir, line, more]) => `${JSON.stringify({ t, dir, line, ...more })}\n`).join("");
}

describe("a recording is read", () => {
  test("in both directions, from text and values, on its channels", () => {
    const file = recording(
      [1, "send", '{"a":1}'],
      [2.5, "recv", '{"b":2}'],
      [3, "recv", { c: 3 }, { ch: "http" }],
      [4, "recv", '{"d":4}\r', { ch: "event" }],
      [5, "send", "not json"],
      [6, "recv", "null"],
    );
    expect(read(file)).toEqual([
      "begin 1",
      'sent 1 {"a":1}',
      'received 2.5 {"b":2}',
      'received 3 http {"c":3}',
      'received 4 event {"d":4}',
      'sent 5 "not json"',
      "received 6 null",
      "finish ended 6",
    ]);
  });

  test("without what is said beside it: stderr, remarks, directions that nobody knows", () => {
    const file = recording(
      [0, "note", { spawn: ["pi"] }],
      [1, "err", "{}"],
      [2, "stderr", "{}"],
      [3, "note", "closing stdin"],
      [4, "note", { exitAfterMs: 28 }],
      [5, "recv", "1"],
      [6, "err", "late"],
    );
    expect(read(file)).toEqual(["begin 5", "received 5 1", "finish ended 5"]);
  });

  test("with a broken frame where the decoder of a driver would give one", () => {
    const file = recording([1, "recv", '{"half":'], [2, "recv", ""], [3, "recv", '{"a":1}\n{"b":2}']);
    expect(read(file)).toEqual([
      "begin 1",
      "broken 1",
      'received 3 {"a":1}',
      'received 3 {"b":2}',
      "finish ended 3",
    ]);
  });

  test.for([
    [{ exit: 0, signal: null }, "ended"],
    [{ exit: 143, signal: null }, "lost"],
    [{ exit: null, signal: "SIGKILL" }, "lost"],
    [{ spawn: ["pi"] }, "lost"],
  ] as const)("as a connection that a note %j ends as %s", ([note, reason]) => {
    const file = recording([1, "recv", "1"], [2, "note", note], [3, "recv", "2"], [4, "note", { exit: 0 }]);
    expect(read(file)).toEqual([
      "begin 1",
      "received 1 1",
      `finish ${reason} 2`,
      "begin 3",
      "received 3 2",
      "finish ended 4",
    ]);
  });

  test("as connections that a change of the process divides, whose clocks start again", () => {
    const file = recording(
      [1, "recv", "1"],
      [9, "recv", "2"],
      [0, "recv", "3", { p: 1 }],
      [5, "note", { exit: 0 }, { p: 0 }],
      [6, "note", { exit: 0 }, { p: 1 }],
    );
    expect(read(file)).toEqual([
      "begin 1",
      "received 1 1",
      "received 9 2",
      "finish lost 9",
      "begin 0",
      "received 0 3",
      "finish ended 6",
    ]);
  });

  test("with its silences, for a dialect that means something by them", () => {
    const file = recording(
      [0, "recv", "1"],
      [699, "recv", "2"],
      [1399, "recv", "3"],
      [2000, "note", { exit: 0 }],
    );
    expect(read(file, 700)).toEqual([
      "begin 0",
      "received 0 1",
      "received 699 2",
      "quiet 1399",
      "received 1399 3",
      "finish ended 2000",
    ]);
    expect(read(recording([0, "recv", "1"]), 700)).toEqual([
      "begin 0",
      "received 0 1",
      "quiet 700",
      "finish ended 700",
    ]);
  });

  test("as nothing when nothing was recorded", () => {
    expect(read("")).toEqual([]);
    expect(read("\n \n")).toEqual([]);
    expect(read(recording([0, "note", { exit: 0 }]))).toEqual([]);
  });

  test("without its last line when that was cut off, and says so", () => {
    const reader = new RecordingReader(new Connections());
    const file = `${recording([0, "recv", "1"])}{"t":1,"dir":"recv","li`;
    expect(short([...reader.push(Buffer.from(file)), ...reader.end()])).toEqual([
      "begin 0",
      "received 0 1",
      "finish ended 0",
    ]);
    expect(reader.unreadable).toBe(1);
  });

  test("from the lines of a harness alone, broken ones among them", () => {
    expect(read('loading…\n{"a":1}\n[2]\n{"half":\n{"t":1,"dir":"recv","line":"1"}')).toEqual([
      "begin 0",
      "broken 0",
      'received 0 {"a":1}',
      "received 0 [2]",
      "broken 0",
      'received 0 {"t":1,"dir":"recv","line":"1"}',
      "finish ended 0",
    ]);
  });

  test.for(["# Words\n\nand more words\n", "1\n2\n", '"text"\n', "x\n".repeat(5_000)])(
    "unless it is none: %j",
    (file) => {
      expect(() => read(file)).toThrow("no line of it is a JSON object");
    },
  );

  test("alike however its bytes are cut", () => {
    const file = Buffer.from(recording([1, "send", '{"a":"é😀"}'], [2, "recv", '{"b":'], [3, "recv", "{}"]));
    for (let place = 0; place <= file.length; place += 1) {
      const reader = new RecordingReader(new Connections());
      const parts = [file.subarray(0, place), file.subarray(place)];
      expect(short([...parts.flatMap((part) => reader.push(part)), ...reader.end()])).toEqual(read(file));
    }
  });
});

test("reads what recorders note about the process", () => {
  const [clean, dirty] = [
    { news: "exit", clean: true },
    { news: "exit", clean: false },
  ];
  expect(readNote({ exit: 0, sig: null, ms: 12 })).toEqual(clean);
  expect(readNote({ exit: { code: 0, signal: null } })).toEqual(clean);
  expect(readNote('{"exit":{"code":null,"signal":"SIGINT"}}')).toEqual(dirty);
  expect(readNote("agent exited code=0 signal=null")).toEqual(clean);
  expect(readNote("process exit code=1, no result line")).toEqual(dirty);
  expect(readNote("agent exited code=null signal=SIGKILL")).toEqual(dirty);
  for (const start of [{ spawn: [] }, { restart: { listenMs: 1 } }, "--- new process", '"--- new process"'])
    expect(readNote(start)).toEqual({ news: "start" });
  for (const other of [
    "kill -9",
    "restart with --continue",
    "SIGTERM",
    { afterEOF: [] },
    null,
    7,
    "the exit",
  ])
    expect(readNote(other)).toBeUndefined();
});

/** A dialect of few words: `{"name": …}` names the session, `{"open": …}` and `{"close": …}` a run. */
const toy: EventAdapter = {
  id: "toy",
  stateVersion: 1,
  initialState: {},
  parseState: (value) => value,
  reduce: (state, frame) => {
    const { name, open, close, fault } = (frame.kind === undefined ? frame.payload : {}) as Record<
      string,
      string
    >;
    if (fault !== undefined) throw new Error(fault);
    return {
      state,
      events: [
        ...(name === undefined ? [] : [{ type: "harness.updated", nativeSessionId: name } as const]),
        ...(open === undefined ? [] : [{ type: "run.started", runId: open, origin: "user" } as const]),
        ...(close === undefined
          ? []
          : [{ type: "run.ended", runId: close, outcome: "completed", reason: "harness.done" } as const]),
      ],
    };
  },
};

/** Several sessions on a connection: each frame says whose it is, but for those that are for all. */
const byName: Router = {
  initialState: null,
  route: (state, frame) => {
    const to = (frame.kind === undefined ? frame.payload : {}) as { readonly to?: string };
    return { state, deliveries: [to.to === undefined ? { frame } : { nativeSessionId: to.to, frame }] };
  },
};

function frame(payload: unknown): ReplayStep {
  const raw: RawFrame = { dir: "received", channel: "", payload, at: 0 };
  return { do: "frame", frame: raw };
}

const begin: ReplayStep = { do: "begin", at: 0 };
const lost: ReplayStep = { do: "finish", reason: "lost", at: 0 };

function tell(sessions: ReplayedSessions, steps: readonly ReplayStep[]): readonly Telling[] {
  return steps.flatMap((step) => sessions.take(step));
}

/** `session-1: 1 run.started` and so on. */
function told(tellings: readonly Telling[]): readonly string[] {
  return tellings.flatMap(({ session, events }) =>
    events.map((event) => {
      expect(event.sessionId).toBe(session.id);
      return `${session.id}: ${event.seq} ${event.type}`;
    }),
  );
}

describe("the sessions of a recording", () => {
  test("are one where the same name comes again, or none", () => {
    const sessions = new ReplayedSessions(toy);
    const steps = [
      begin,
      frame({ open: "r" }),
      frame({ name: "a" }),
      lost,
      begin,
      frame({ open: "s" }),
      lost,
      begin,
      frame({ open: "t" }),
      frame({ name: "a" }),
      frame({ close: "t" }),
      lost,
    ];
    expect(told(tell(sessions, steps))).toEqual([
      "session-1: 1 run.started",
      "session-1: 2 harness.updated",
      "session-1: 3 run.ended",
      "session-1: 4 run.started",
      "session-1: 5 run.ended",
      "session-1: 6 run.started",
      "session-1: 7 harness.updated",
      "session-1: 8 run.ended",
    ]);
    expect(sessions.all.map(({ nativeIds }) => nativeIds)).toEqual([["a"]]);
  });

  test("are several where another process names another, each with numbers of its own", () => {
    const sessions = new ReplayedSessions(toy);
    const steps = [
      begin,
      frame({ name: "a" }),
      lost,
      begin,
      frame({ open: "r" }),
      frame({ name: "b" }),
      lost,
      begin,
      frame({ name: "a" }),
      lost,
    ];
    expect(told(tell(sessions, steps))).toEqual([
      "session-1: 1 harness.updated",
      "session-2: 1 run.started",
      "session-2: 2 harness.updated",
      "session-2: 3 run.ended",
      "session-1: 2 harness.updated",
    ]);
  });

  test("are one where a process renames its session", () => {
    const sessions = new ReplayedSessions(toy);
    tell(sessions, [
      begin,
      frame({ name: "a" }),
      frame({ name: "b" }),
      lost,
      begin,
      frame({ name: "b" }),
      lost,
    ]);
    expect(sessions.all.map(({ nativeIds }) => nativeIds)).toEqual([["a", "b"]]);
  });

  test("are those that the router of a shared connection names; what is for all is for each", () => {
    const sessions = new ReplayedSessions(toy, byName);
    const steps = [
      begin,
      frame({ open: "hello" }),
      frame({ to: "a", open: "r" }),
      frame({ to: "b", open: "r" }),
      frame({ close: "r" }),
      lost,
      begin,
      frame({ to: "b", open: "s" }),
      lost,
    ];
    expect(told(tell(sessions, steps))).toEqual([
      "session-1: 1 run.started",
      "session-1: 2 run.started",
      "session-2: 1 run.started",
      "session-1: 3 run.ended",
      "session-2: 2 run.ended",
      "session-1: 4 run.ended",
      "session-2: 3 run.started",
      "session-2: 4 run.ended",
    ]);
    expect(sessions.all.map(({ nativeIds }) => nativeIds)).toEqual([["a"], ["b"]]);
  });

  test("are chosen by a name, also when that comes later than they do", () => {
    const sessions = new ReplayedSessions(toy);
    const selection = new Selection("b");
    const steps = [
      begin,
      frame({ open: "r" }),
      frame({ name: "a" }),
      frame({ name: "b" }),
      frame({ open: "s" }),
      lost,
    ];
    expect(told(tell(sessions, steps).flatMap((telling) => selection.pass(telling)))).toEqual([
      "session-1: 1 run.started",
      "session-1: 2 harness.updated",
      "session-1: 3 harness.updated",
      "session-1: 4 run.started",
      "session-1: 5 run.ended",
      "session-1: 6 run.ended",
    ]);
  });
});

describe("the account of a recording", () => {
  function accountOf(steps: readonly ReplayStep[]): Parameters<typeof faultsIn>[0] {
    const sessions = new ReplayedSessions(toy);
    tell(sessions, steps);
    return sumOf(sessions.all.map(({ account }) => account));
  }

  test("counts frames but no silence, events, runs by outcome and diagnostics by code", () => {
    const quiet: ReplayStep = { do: "frame", frame: { kind: "quiet", forMs: 1, at: 1 } };
    const account = accountOf([
      begin,
      frame({ open: "r" }),
      quiet,
      frame({ close: "r" }),
      frame({ open: "s" }),
      lost,
    ]);
    expect(accountText(account, plain)).toBe(
      "3 frames, 4 events, 2 runs (1 completed, 1 failed), no diagnostics",
    );
    expect(faultsIn(account)).toEqual([]);
  });

  test("has against an adapter that it threw, also more often than is told", () => {
    const faults = Array.from({ length: 12 }, () => frame({ fault: "no" }));
    const account = accountOf([begin, ...faults, lost, begin, frame({ fault: "no" }), lost]);
    expect(accountText(account, plain)).toBe(
      "13 frames, 3 events, no runs, diagnostics adapter.threw 13; the adapter threw",
    );
  });

  test("has against an adapter that it ended what it had not started", () => {
    const account = accountOf([begin, frame({ close: "r" }), lost]);
    expect(faultsIn(account)).toEqual(["the adapter did not keep the books"]);
  });
});

test("finds the adapter in the nearest folder that has the name of one", () => {
  const ids = new Set(["pi", "claude"]);
  expect(adapterInPath("/claude/x/pi/0.73/a.jsonl", ids)).toBe("pi");
  expect(adapterInPath("/x/pi.jsonl", ids)).toBeUndefined();
});
