import { describe, expect, test } from "vitest";
import {
  type AgentRuntimeEvent,
  type EventDraft,
  type TranscriptRow,
  apply,
  begin,
  emit,
  emptyProjection,
  emptySnapshot,
  openRows,
  piAdapter,
  transcript,
  translate,
} from "../../src/index.ts";
import { everyEvent, play, projectionConformance } from "../../src/testing/index.ts";
import { caseNames, recording } from "../pi/recordings.ts";
import { rowsOf } from "./rows-of.ts";

const histories = [everyEvent, ...caseNames.map((name) => play(piAdapter, recording(name).steps).events)];

const laws = projectionConformance({ projection: () => transcript, histories, supports: { rows: true } });

describe("the transcript keeps the laws of projection", () => {
  test.each(laws)("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });

  test("no row is open when everything is over", () => {
    for (const history of histories) expect(stateAfter(history).open).toEqual([]);
  });

  test("a row that is written more than once keeps its id, ordinal and time of creation", () => {
    for (const history of histories) {
      const made = new Map<string, string>();
      for (const row of outputOf(history)) {
        const mark = `${row.ordinal} ${row.time.created}`;
        expect(made.get(row.rowId) ?? mark).toBe(mark);
        made.set(row.rowId, mark);
      }
    }
  });
});

function outputOf(events: readonly AgentRuntimeEvent[]): readonly TranscriptRow[] {
  let snapshot = emptyProjection(transcript);
  return events.flatMap((event) => {
    const applied = apply(transcript, snapshot, event);
    snapshot = applied.snapshot;
    return applied.output;
  });
}

function stateAfter(events: readonly AgentRuntimeEvent[]): typeof transcript.initialState {
  return events.reduce((state, event) => transcript.project(state, event).state, transcript.initialState);
}

function history(...drafts: readonly EventDraft[]): readonly AgentRuntimeEvent[] {
  return emit(emptySnapshot("session"), drafts, 1000).events;
}

/** A line for each row, as a reader would see it. */
function lines(rows: readonly TranscriptRow[]): readonly string[] {
  return rows.map((row) => {
    switch (row.type) {
      case "input":
        return `> ${row.parts.map((part) => (part.type === "text" ? part.text : "[image]")).join("")} (${row.status})`;
      case "text":
      case "reasoning":
        return `${row.type === "text" ? "" : "~ "}${row.text}${row.outcome === "completed" ? "" : ` (${row.outcome})`}`;
      case "tool":
        return `$ ${row.name} ${row.title} = ${row.outcome} ${row.exitCode ?? ""}`.trimEnd();
      case "question":
        return `? ${row.questions[0]?.prompt.split("\n")[0]} = ${row.outcome} ${row.answers?.[0] ?? ""}`.trimEnd();
      case "file":
        return `± ${row.path} ${row.change}`;
      case "notice":
        return `! ${row.level} ${row.text.split("\n")[0]?.slice(0, 60)}`;
      default:
        return row.type;
    }
  });
}

function transcriptOf(name: string): readonly string[] {
  return lines(rowsOf(play(piAdapter, recording(name).steps).events));
}

describe("the transcript of a recording", () => {
  test("shows parallel tools in the order of their calls", () => {
    expect(transcriptOf("1.6.0-06-parallel-tools")).toEqual([
      "> par [[pi-parallel]] (answered)",
      "~ parallel plan",
      "$ bash sleep 0.3; echo one = ok 0",
      "$ bash echo two = ok 0",
      "$ read README.md = ok",
      "Parallel done.",
    ]);
  });

  test("shows what became of each input of an aborted run with a queue", () => {
    expect(transcriptOf("1.6.0-14-abort-with-queue")).toEqual([
      "> hang [[pi-bashhang]] (cancelled)",
      "About to sleep.",
      "$ bash echo started; sleep 60; echo never = cancelled",
      "> queued steer [[text]] (cancelled)",
      "> queued follow [[text]] (cancelled)",
    ]);
  });

  test("shows questions, notices and refused tools of an extension", () => {
    expect(transcriptOf("1.6.0-44-extension-ui")).toEqual([
      "> /ask (handled)",
      "! info about to ask",
      "? Pick one = answered B",
      "? Sure? = answered Yes",
      "? Name = answered Bob",
      "? Edit = rejected",
      "? Timed = expired",
      '! warning {"s":"B","c":true,"i":"Bob","t":false}',
      "> /boom (handled)",
      "! error The pi extension command:boom failed: boom from extension",
      "> gate ok [[pi-bashfail]] (answered)",
      "$ bash echo out; exit 3 = failed 3",
      "? Allow? = answered Yes",
      "It failed.",
      "> gate denied [[pi-bashfail]] (answered)",
      "$ bash echo out; exit 3 = failed",
      "? Allow? = answered No",
      "It failed.",
    ]);
  });

  test("shows changed files, and a run that failed without a turn to tell it", () => {
    expect(transcriptOf("1.6.0-embedded")).toEqual([
      "> Create and check a.txt (known)",
      "~ I will write a file.",
      "Writing.",
      "$ write a.txt = ok",
      "± a.txt modified",
      "$ edit a.txt = ok",
      "± a.txt modified",
      "$ bash cat a.txt; uname -s = ok 0",
      "$ read a.txt = ok",
      "Done; I saw 4 tool results.",
      "> hang (known)",
      "$ bash sleep 30 = cancelled",
      "> no script left (known)",
      "! error No more faux responses queued",
    ]);
  });

  test("keeps the text of an answer that broke off", () => {
    expect(transcriptOf("0.73.1-50-kill9-mid-text")).toContain("line 0 lorem ipsum dolor sit a (abandoned)");
  });
});

describe("the rows of the transcript", () => {
  const queued: EventDraft = {
    type: "turn.queued",
    turnId: "t",
    inputId: "in",
    input: [{ type: "text", text: "hi" }],
  };
  const started: EventDraft = { type: "turn.started", turnId: "t" };
  const sent: EventDraft = { type: "input.sent", inputId: "in", parts: [{ type: "text", text: "hi" }] };

  test("an input is one row, written when it is queued and when it has ended", () => {
    const run: EventDraft = { type: "run.started", runId: "r", origin: "user" };
    const events = history(
      queued,
      started,
      sent,
      run,
      { type: "message.started", messageId: "m", role: "user", inputId: "in", runId: "r" },
      { type: "input.joined", inputId: "in", runId: "r" },
      { type: "part.ended", messageId: "m", partId: "p", kind: "text", text: "hi" },
      { type: "message.ended", messageId: "m", outcome: "completed" },
      { type: "run.ended", runId: "r", outcome: "completed", reason: "harness.stop" },
      { type: "turn.ended", turnId: "t", outcome: "completed", reason: "harness.stop" },
    );
    expect(outputOf(events).map((row) => [row.rowId, row.type === "input" ? row.status : ""])).toEqual([
      ["input:in", "queued"],
      ["input:in", "answered"],
      ["turn:t", ""],
    ]);
    expect(rowsOf(events)[0]).toMatchObject({
      ordinal: 1,
      turnId: "t",
      runId: "r",
      parts: [{ type: "text", text: "hi" }],
    });
  });

  test("a command is one row with one part, although its echo is text", () => {
    const events = history(
      { type: "input.sent", inputId: "in", parts: [{ type: "command", text: "/compact" }] },
      { type: "message.started", messageId: "m", role: "user", inputId: "in" },
      { type: "part.ended", messageId: "m", partId: "p", kind: "text", text: "/compact" },
      { type: "message.ended", messageId: "m", outcome: "completed" },
      { type: "input.ended", inputId: "in", outcome: "handled" },
    );
    expect(rowsOf(events)).toMatchObject([
      { rowId: "input:in", status: "handled", parts: [{ type: "command", text: "/compact" }] },
    ]);
  });

  test("an input whose echo has no parts shows what the user handed in, whoever speaks of it first", () => {
    const echo: readonly EventDraft[] = [
      { type: "message.started", messageId: "m", role: "user", inputId: "in" },
      { type: "message.ended", messageId: "m", outcome: "completed" },
    ];
    const end: EventDraft = { type: "input.ended", inputId: "in", outcome: "answered" };
    for (const told of [
      [queued, sent, ...echo, end],
      [queued, ...echo, sent, end],
      [sent, queued, ...echo, end],
      [sent, ...echo, queued, end],
      [...echo, queued, sent, end],
      [...echo, sent, queued, end],
    ]) {
      expect(rowsOf(history(...told))).toMatchObject([
        { rowId: "input:in", status: "answered", parts: [{ type: "text", text: "hi" }] },
      ]);
    }
  });

  test("a synthetic input within a turn is a row of its own, which is not of the turn", () => {
    const handedOver = [{ type: "text", text: "a transcript" }] as const;
    const events = history(
      queued,
      started,
      { type: "input.sent", inputId: "past", parts: handedOver, synthetic: true },
      sent,
      { type: "input.ended", inputId: "past", outcome: "unobserved" },
      { type: "input.ended", inputId: "in", outcome: "answered" },
    );
    const [own, past, ...more] = rowsOf(events);
    expect(own).toMatchObject({ rowId: "input:in", status: "answered" });
    expect(own).not.toHaveProperty("synthetic");
    expect(past).toMatchObject({
      rowId: "input:past",
      parts: handedOver,
      synthetic: true,
      status: "unobserved",
      time: { completed: 1000 },
    });
    expect(past).not.toHaveProperty("turnId");
    expect(more).toEqual([]);
  });

  test("an echo that comes after the end of its input makes no second row", () => {
    const events = history(
      sent,
      { type: "input.ended", inputId: "in", outcome: "handled" },
      { type: "message.started", messageId: "m", role: "user", inputId: "in" },
      { type: "part.ended", messageId: "m", partId: "p", kind: "text", text: "hi" },
      { type: "message.ended", messageId: "m", outcome: "completed" },
    );
    expect(rowsOf(events)).toMatchObject([{ rowId: "input:in", status: "handled" }]);
  });

  test("a turn that is cancelled while it is queued takes its input with it", () => {
    const events = history(queued, {
      type: "turn.ended",
      turnId: "t",
      outcome: "cancelled",
      reason: "cancelled-while-queued",
    });
    expect(rowsOf(events)).toMatchObject([
      { type: "input", status: "cancelled" },
      {
        type: "turn",
        outcome: "cancelled",
        reason: "cancelled-while-queued",
        time: { created: 1000, completed: 1000 },
      },
    ]);
  });

  test("nothing is written per delta, and the open rows show the text so far", () => {
    const delta = (text: string): EventDraft => ({
      type: "message.delta",
      messageId: "m",
      partId: "p",
      kind: "text",
      text,
    });
    const events = history(
      { type: "message.started", messageId: "m", role: "assistant" },
      delta("Hel"),
      delta("lo"),
    );
    expect(outputOf(events)).toEqual([]);
    expect(openRows(stateAfter(events))).toMatchObject([
      { rowId: "part:p", type: "text", text: "Hello", ordinal: 2 },
    ]);
  });

  test("a correction after the end of a tool call is a row of its own", () => {
    const rows = rowsOf(everyEvent);
    expect(rows.find((row) => row.type === "amendment")).toMatchObject({
      callId: "call-1",
      outcome: "failed",
      output: "not ok",
    });
  });

  test("every kind of row has an example", () => {
    const kinds = new Set(rowsOf(everyEvent).map((row) => row.type));
    expect([...kinds].toSorted()).toEqual(
      [
        "amendment",
        "file",
        "input",
        "media",
        "notice",
        "permission",
        "plan",
        "question",
        "task",
        "text",
        "todo",
        "tool",
        "turn",
      ].toSorted(),
    );
  });

  test("an event of a type from the future changes nothing", () => {
    const future = { ...everyEvent[0], seq: 1, type: "constructor" } as unknown as AgentRuntimeEvent;
    const before = emptyProjection(transcript);
    const { kind, snapshot, output } = apply(transcript, before, future);
    expect([kind, snapshot.state, output]).toEqual(["applied", before.state, []]);
  });

  test("joins a long answer of small deltas in time that grows with its length", () => {
    let step = begin(piAdapter, emptySnapshot("session"), 0);
    let view = emptyProjection(transcript);
    const started = performance.now();
    for (let index = 0; index < 50_000; index += 1) {
      const assistantMessageEvent = { type: "text_delta", contentIndex: 0, delta: "four" };
      step = translate(piAdapter, step.snapshot, {
        dir: "received",
        channel: "",
        payload: { type: "message_update", assistantMessageEvent },
        at: 0,
      });
      for (const event of step.events) view = apply(transcript, view, event).snapshot;
    }
    expect(openRows(view.state as typeof transcript.initialState)).toMatchObject([
      { text: "four".repeat(50_000) },
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
