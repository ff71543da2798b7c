import type { AgentRuntimeEvent, EventBody, EventEnvelope } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { eventLine } from "../src/render/event-line.ts";
import type { Piece } from "../src/render/piece.ts";
import { painter, wantsColor } from "../src/render/style.ts";
import { transcriptRow } from "../src/render/transcript.ts";
import { TurnRenderer } from "../src/render/turn-renderer.ts";

const plain = painter(false);

function event(body: EventBody & Partial<EventEnvelope>): AgentRuntimeEvent {
  return { v: 1, seq: 1, sessionId: "s", time: 0, adapter: "pi", ...body };
}

function shown(
  live: boolean,
  events: readonly (EventBody & Partial<EventEnvelope>)[],
): { out: string; err: string } {
  const renderer = new TurnRenderer({ live, out: plain, err: plain });
  const pieces: readonly Piece[] = events.flatMap((body) => renderer.render(event(body)));
  const of = (to: Piece["to"]): string =>
    pieces
      .filter((piece) => piece.to === to)
      .map(({ text }) => text)
      .join("");
  return { out: of("out"), err: of("err") };
}

const message = { messageId: "m", partId: "p", kind: "text" } as const;
const started = { type: "message.started", messageId: "m", role: "assistant" } as const;
const call = { type: "tool.started", callId: "t", name: "bash", kind: "execute" } as const;
const titled = { type: "tool.updated", callId: "t", title: "echo hi" } as const;
const done = { type: "tool.ended", callId: "t", outcome: "ok", exitCode: 0, durationMs: 20 } as const;

test("streams text, and writes one line for a tool call when it ends", () => {
  const { out } = shown(false, [
    started,
    { type: "message.delta", ...message, text: "Let me" },
    { type: "message.delta", ...message, text: " see" },
    { type: "part.ended", ...message, text: "Let me see." },
    call,
    titled,
    { type: "message.ended", messageId: "m", outcome: "completed" },
    { type: "tool.updated", callId: "t", output: "hi" },
    done,
  ]);
  expect(out).toBe("Let me see.\n✓ bash echo hi\n");
});

test("shows on a terminal that a tool call has begun, and ends its line with the outcome", () => {
  expect(shown(true, [call, titled, done]).out).toBe("● bash echo hi ✓\n");
});

test("tells two tool calls apart that run at once", () => {
  const other = { ...call, callId: "u", title: "sleep 1" };
  const { out } = shown(true, [
    { ...call, title: "a" },
    other,
    { ...done, callId: "u" },
    { ...done, outcome: "failed", exitCode: 2 },
  ]);
  expect(out).toBe("● bash a\n● bash sleep 1 ✓\n✗ bash a (exit 2)\n");
});

test("says a text again on a new line when its end tells another one", () => {
  const { out } = shown(false, [
    started,
    { type: "message.delta", ...message, text: "wrong" },
    { type: "part.ended", ...message, text: "right" },
    { type: "message.ended", messageId: "m", outcome: "completed" },
  ]);
  expect(out).toBe("wrong\nright\n");
});

test("keeps the user's words, thoughts, subagents' words and history to itself", () => {
  const { out, err } = shown(false, [
    { type: "message.started", messageId: "u", role: "user" },
    { type: "part.ended", messageId: "u", partId: "x", kind: "text", text: "prompt" },
    started,
    { type: "message.delta", ...message, kind: "reasoning", text: "hm" },
    { type: "message.delta", ...message, text: "sub", agent: ["task"] },
    { type: "message.delta", ...message, text: "old", replayed: true },
  ]);
  expect({ out, err }).toEqual({ out: "", err: "" });
});

test("indents the tool calls of a subagent", () => {
  expect(
    shown(false, [
      { ...call, agent: ["x"] },
      { ...done, agent: ["x"] },
    ]).out,
  ).toBe("  ✓ bash\n");
});

test("names the model once, and again when it changes", () => {
  const ended = { type: "message.ended", messageId: "m", outcome: "completed" } as const;
  const { err } = shown(false, [
    { ...ended, model: "a/b" },
    { ...ended, model: "a/b" },
    { type: "session.updated", model: "a/c" },
  ]);
  expect(err).toBe("· model a/b\n· model a/c\n");
});

test("puts notices, retries and diagnostics beside the answer, and begins a line for them on a terminal", () => {
  const events = [
    started,
    { type: "message.delta", ...message, text: "half" } as const,
    {
      type: "retry.scheduled",
      attempt: 1,
      max: 3,
      delayMs: 2_000,
      error: { message: "busy\u001b[2J" },
    } as const,
    { type: "diagnostic", code: "x", severity: "warning", message: "odd" } as const,
    { type: "diagnostic", code: "x", severity: "info", message: "nothing" } as const,
  ];
  expect(shown(false, events)).toEqual({ out: "half", err: "· try 1 of 3 in 2.0 s: busy\n· odd\n" });
  expect(shown(true, events).out).toBe("half\n");
});

test("tells how what the agent asked has ended", () => {
  const asked = [
    { type: "permission.requested", requestId: "q1", title: "Bash:\nls", options: [], native: null } as const,
    {
      type: "question.requested",
      requestId: "q2",
      questions: [{ prompt: "Which?", options: [], multiple: false }],
      native: null,
    } as const,
  ];
  const ended = { type: "permission.ended", requestId: "q1", outcome: "allowed", by: "user" } as const;
  const answered = { type: "question.ended", requestId: "q2", outcome: "answered", by: "user" } as const;
  expect(shown(false, asked)).toEqual({ out: "", err: "" });
  expect(
    shown(false, [...asked, { ...ended, scope: "always" }, { ...answered, answers: ["This"] }]).err,
  ).toBe("· permission: Bash: ls (allowed for good)\n· question: Which? This (answered)\n");
  expect(shown(false, [...asked, { ...ended, outcome: "denied", by: "policy" }]).err).toBe(
    "· permission: Bash: ls (denied by policy); see --permissions\n",
  );
});

test("shows the agent's plan beside its words", () => {
  const events = [started, { type: "message.delta", ...message, text: "So:" } as const];
  const plan = { type: "plan.updated", text: "1. Look\u001b[2J\n2. Do\n" } as const;
  expect(shown(true, [...events, plan])).toEqual({ out: "So:\n", err: "1. Look\n2. Do\n" });
});

test("ends with the verdict", () => {
  const queued = { type: "turn.queued", turnId: "t", inputId: "i", input: [], time: 0 } as const;
  const ended = { type: "turn.ended", turnId: "t", time: 61_000 } as const;
  expect(shown(false, [queued, { ...ended, outcome: "completed", reason: "harness.stop" }]).err).toBe(
    "✓ completed in 1 min 1 s\n",
  );
  const failure = {
    ...ended,
    outcome: "failed",
    reason: "harness.error",
    error: { message: "no key" },
  } as const;
  expect(shown(false, [queued, failure]).err).toBe("✗ failed in 1 min 1 s: no key\n");
  expect(shown(false, [{ ...ended, outcome: "cancelled", reason: "x" }]).err).toBe("– cancelled\n");
});

test("shows an event as one line without control bytes", () => {
  const line = eventLine(
    event({ type: "notice.added", level: "info", text: "a\n\u009b2Jb", turnId: "turn_1" }),
    plain,
  );
  expect(line).toMatch(
    /^ {4}1 {2}\d\d:\d\d:\d\d\.\d{3} {2}notice\.added {10}level=info text="a\\nb" turnId=turn_1$/,
  );
});

test("shows an event of an impossible time", () => {
  expect(eventLine(event({ type: "session.deleted", time: 1e300 }), plain)).toContain("??:??:??.???");
});

test("shows rows of a transcript", () => {
  const frame = { rowId: "r", ordinal: 1, time: { created: 0 } };
  const rows = [
    transcriptRow(
      { ...frame, type: "input", parts: [{ type: "text", text: "do\nit" }], status: "lost" },
      plain,
    ),
    transcriptRow(
      { ...frame, type: "tool", callId: "t", name: "bash", toolKind: "execute", title: "ls" },
      plain,
    ),
    transcriptRow(
      { ...frame, type: "text", messageId: "m", role: "assistant", text: "a\u001b[31mb\n\n", agent: ["x"] },
      plain,
    ),
    transcriptRow({ ...frame, type: "file", path: "x", change: "added" }, plain),
    transcriptRow({ ...frame, type: "permission", requestId: "q", title: "Bash", options: [] }, plain),
    transcriptRow(
      {
        ...frame,
        type: "question",
        requestId: "q",
        questions: [
          { prompt: "Which?", options: [], multiple: false },
          { prompt: "Why?", options: [], multiple: false },
        ],
        outcome: "answered",
        answers: ["This", "So"],
      },
      plain,
    ),
    transcriptRow(
      { ...frame, type: "task", taskId: "t", kind: "agent", outcome: "failed", title: "Look" },
      plain,
    ),
    transcriptRow(
      {
        ...frame,
        type: "turn",
        turnId: "t",
        outcome: "failed",
        reason: "host-lost",
        error: { message: "gone" },
      },
      plain,
    ),
  ];
  expect(rows.join("")).toBe(
    "> do\n  it (lost)\n● bash ls (running)\n  ab\n· permission: Bash (open)\n· question: Which? This; Why? So (answered)\n· task: Look (failed)\n── failed (host-lost): gone\n\n",
  );
});

test("tells of what was handed over to the agent, without showing it as the user's words", () => {
  const parts = [{ type: "text", text: "Said before." }] as const;
  const frame = { rowId: "r", ordinal: 1, time: { created: 0 } };
  const row = {
    ...frame,
    type: "input",
    inputId: "i",
    parts,
    status: "unobserved",
    synthetic: true,
  } as const;
  expect(transcriptRow(row, plain)).toBe(
    "· handed over to the agent: 12 characters of what was said before\n",
  );
});

test("uses colours on a terminal only, and not against the user's will", () => {
  expect(wantsColor(true, {})).toBe(true);
  expect(wantsColor(false, {})).toBe(false);
  expect(wantsColor(false, { FORCE_COLOR: "1" })).toBe(false);
  expect(wantsColor(true, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColor(true, { NO_COLOR: "" })).toBe(true);
  expect(wantsColor(true, { TERM: "dumb" })).toBe(false);
  expect(painter(true)("red", "x")).toBe("\u001b[31mx\u001b[39m");
  expect(painter(false)("red", "x")).toBe("x");
});
