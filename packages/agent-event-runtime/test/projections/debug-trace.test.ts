import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AgentRuntimeEvent,
  type EventDraft,
  apply,
  debugTrace,
  emit,
  emptyProjection,
  emptySnapshot,
  piAdapter,
} from "../../src/index.ts";
import { everyEvent, hostileValue, play, projectionConformance } from "../../src/testing/index.ts";
import { recording } from "../pi/recordings.ts";
import { recordedHistories } from "../subjects.ts";
import { fullEvents } from "../schema/full-events.ts";

const histories = [everyEvent, ...recordedHistories().map(({ events }) => events)];

function linesOf(events: readonly AgentRuntimeEvent[]): readonly string[] {
  let snapshot = emptyProjection(debugTrace);
  return events.flatMap((event) => {
    const applied = apply(debugTrace, snapshot, event);
    snapshot = applied.snapshot;
    return applied.output;
  });
}

function stateAfter(events: readonly AgentRuntimeEvent[]): typeof debugTrace.initialState {
  return events.reduce((state, event) => debugTrace.project(state, event).state, debugTrace.initialState);
}

/** A history of what happens at which time. */
function history(
  ...drafts: readonly (readonly [time: number, draft: EventDraft])[]
): readonly AgentRuntimeEvent[] {
  let snapshot = emptySnapshot("session");
  return drafts.flatMap(([time, draft]) => {
    const step = emit(snapshot, [draft], time);
    snapshot = step.snapshot;
    return step.events;
  });
}

/** The line without its beginning, which is the same for all: time, seq and type. */
function tail(line: string | undefined): string {
  return line?.split(" ").slice(3).join(" ") ?? "";
}

describe("the debug trace keeps the laws of projection", () => {
  test.each(projectionConformance({ projection: () => debugTrace, histories }))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });

  test("nothing is open when everything is over", () => {
    for (const one of histories) expect(stateAfter(one)).toEqual({ open: [], parts: [] });
  });
});

describe("the lines of the debug trace", () => {
  test("are one for each event, with time, seq and type", () => {
    for (const one of histories) {
      const expected = one.map(({ time, seq, type }) => `${new Date(time).toISOString()} #${seq} ${type}`);
      expect(linesOf(one).map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual(expected);
    }
  });

  test("say of every type what it is about", () => {
    const mute = everyEvent.filter((event, index) => tail(linesOf(everyEvent)[index]) === "");
    expect(mute.map(({ type }) => type)).toEqual(["session.deleted"]);
  });

  test("tell a recorded story", () => {
    const lines = linesOf(play(piAdapter, recording("1.6.0-14-abort-with-queue").steps).events);
    expect(lines.slice(0, 3)).toEqual([
      '1970-01-01T00:00:00.012Z #1 input.sent frame=1 input=i1 "hang [[pi-bashhang]]"',
      "1970-01-01T00:00:00.839Z #2 run.started frame=3 run=r3 user",
      "1970-01-01T00:00:00.839Z #3 message.started frame=7 run=r3 message=m7 input=i1 user",
    ]);
    expect(lines).toContain(
      '1970-01-01T00:00:01.187Z #23 tool.ended frame=34 run=r3 call=m9/call_34_0 cancelled took=278ms ran=192ms "started\\n\\n\\nCommand aborted"',
    );
    expect(lines).toContain(
      "1970-01-01T00:00:01.219Z #32 run.ended frame=46 run=r3 cancelled took=379ms harness.aborted stop=aborted in=124 out=20 cached=10 total=154 usd=0.000165",
    );
  });

  test("tell where an event belongs, and whether it comes late or again", () => {
    const event: AgentRuntimeEvent = {
      v: 1,
      seq: 1,
      sessionId: "s",
      time: 0,
      adapter: "pi",
      frame: 9,
      turnId: "t",
      runId: "r",
      agent: ["inner", "outer"],
      late: true,
      replayed: true,
      type: "session.status",
      status: "idle",
    };
    expect(linesOf([event])).toEqual([
      "1970-01-01T00:00:00.000Z #1 session.status frame=9 turn=t run=r agent=inner<outer late replayed idle",
    ]);
  });
});

describe("the line of an end", () => {
  test("tells how long it took", () => {
    const text = { messageId: "m", partId: "p", kind: "text" } as const;
    const lines = linesOf(
      history(
        [1000, { type: "turn.queued", turnId: "t", inputId: "i", input: [] }],
        [1030, { type: "turn.started", turnId: "t" }],
        [1040, { type: "run.started", runId: "r", origin: "user" }],
        [1050, { type: "message.started", messageId: "m", role: "assistant" }],
        [1060, { type: "message.delta", ...text, text: "o" }],
        [1070, { type: "message.delta", ...text, text: "k" }],
        [1080, { type: "part.ended", ...text, text: "ok" }],
        [1090, { type: "message.ended", messageId: "m", outcome: "completed" }],
        [1100, { type: "run.ended", runId: "r", outcome: "completed", reason: "harness.stop" }],
        [1110, { type: "turn.ended", turnId: "t", outcome: "completed", reason: "harness.stop" }],
      ),
    );
    const spans = lines.map((line) => /(?:took|waited)=\S+/.exec(line)?.[0]);
    expect(spans).toEqual([
      undefined,
      "waited=30ms",
      undefined,
      undefined,
      undefined,
      undefined,
      "took=20ms",
      "took=40ms",
      "took=60ms",
      "took=110ms",
    ]);
  });

  test("tells no span when the beginning was not seen, or when it is of another kind", () => {
    const [run, ended] = history(
      [0, { type: "run.started", runId: "x", origin: "user" }],
      [9, { type: "run.ended", runId: "x", outcome: "failed", reason: "lost" }],
    );
    expect(tail(linesOf([{ ...ended, seq: 1 } as AgentRuntimeEvent])[0])).toBe("run=x failed lost");
    const other = { ...ended, type: "task.ended", taskId: "x", outcome: "completed" } as AgentRuntimeEvent;
    expect(tail(linesOf([run as AgentRuntimeEvent, other])[1])).not.toContain("took");
  });

  test("tells the truth about a clock that was set back", () => {
    const lines = linesOf(
      history(
        [500, { type: "compaction.started", compactionId: "k", cause: "manual" }],
        [400, { type: "compaction.ended", compactionId: "k", outcome: "completed" }],
      ),
    );
    expect(tail(lines[1])).toBe("compaction=k completed took=-100ms");
  });

  test("lets go of parts that never had an end of their own, and opens none in a message that is over", () => {
    const delta = { type: "message.delta", messageId: "m", partId: "p", kind: "text", text: "x" } as const;
    const events = history(
      [0, { type: "message.started", messageId: "m", role: "assistant" }],
      [1, delta],
      [2, { type: "message.ended", messageId: "m", outcome: "cancelled" }],
    );
    expect(stateAfter(events.slice(0, 2)).parts).toEqual([["p", { messageId: "m", opened: 1 }]]);
    expect(stateAfter(events)).toEqual({ open: [], parts: [] });
    const late = { ...(events[1] as AgentRuntimeEvent), seq: 4, late: true } as const;
    expect(stateAfter([...events, late])).toEqual({ open: [], parts: [] });
  });
});

describe("what stands in a line", () => {
  const notice = (text: string): AgentRuntimeEvent => ({
    v: 1,
    seq: 1,
    sessionId: "s",
    time: 0,
    adapter: "",
    type: "notice.added",
    level: "info",
    text,
  });

  test("shows what a terminal would act on or hide", () => {
    const text = 'a\n\r\t\u001b[31m\u0007\u009b"\\\u202e\u2028\u200b\ud800é😀\u{e0041}';
    expect(tail(linesOf([notice(text)])[0])).toBe(
      String.raw`info "a\n\r\t\u001b[31m\u0007\u009b\"\\\u202e\u2028\u200b\ud800é😀\udb40\udc41"`,
    );
  });

  test("is the text itself, written as JSON, when there is room for it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 16 }), (text) => {
        const [line] = linesOf([notice(text)]);
        expect(JSON.parse(tail(line).slice("info ".length))).toBe(text);
      }),
    );
  });

  test("is cut between characters when it is long, with its length behind it", () => {
    const [line] = linesOf([notice("😀".repeat(1000))]);
    expect(tail(line)).toBe(`info "${"😀".repeat(50)}"…(2000)`);
  });

  test("keeps ids apart from what they are next to", () => {
    const id = 'a b=c "d"';
    const [line] = linesOf([{ ...notice(""), type: "task.updated", taskId: id, summary: "x" }]);
    expect(tail(line)).toBe(String.raw`task="a b=c \"d\"" "x"`);
  });

  test("is one short line of visible characters, whatever the event holds", () => {
    const strings = fc.oneof(
      hostileValue.filter((value) => typeof value === "string"),
      fc.string({ unit: "binary", maxLength: 300 }),
    );
    const event = fc
      .tuple(fc.constantFrom(...fullEvents), fc.nat(), strings, fc.double())
      .map(([whole, path, text, time]) => ({ ...filled(whole, path, text), seq: 1, time }));
    fc.assert(
      fc.property(event, (one) => {
        const [line] = linesOf([one]);
        expect(line?.length).toBeLessThanOrEqual(400);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(line).toContain(` #1 ${one.type}`);
      }),
      { numRuns: 1000 },
    );
  });

  test("ends with a mark when there is no room for all of it", () => {
    const long = (name: string): string => name.repeat(80);
    const [line] = linesOf([
      {
        ...notice(""),
        turnId: long("t"),
        runId: long("r"),
        agent: [long("a")],
        type: "tool.ended",
        callId: long("c"),
        outcome: "ok",
        output: long("o"),
      },
    ]);
    expect(line?.endsWith(" ok …")).toBe(true);
  });
});

/** The event with some of its texts replaced. */
function filled(event: AgentRuntimeEvent, which: number, text: string): AgentRuntimeEvent {
  const kept = new Set(["type", "sessionId", "adapter"]);
  const entries = Object.entries(event).map(([key, value], index) => {
    const hit = typeof value === "string" && !kept.has(key) && (which >> (index % 24)) % 2 === 1;
    return [key, hit ? text : value] as const;
  });
  return { ...Object.fromEntries(entries), agent: [text, "b"] } as unknown as AgentRuntimeEvent;
}
