import { describe, expect, test } from "vitest";
import type { Json, TranscriptRow } from "@claxedo/agent-event-runtime";
import { handoverOf } from "../../src/session/handover.ts";
import type { PageOptions } from "../../src/index.ts";

type Body = TranscriptRow extends infer Row
  ? Row extends TranscriptRow
    ? Omit<Row, "rowId" | "ordinal" | "time">
    : never
  : never;

/** What is handed over of these rows, without its introduction; and the introduction. */
async function handover(
  bodies: readonly Body[],
  after = 0,
): Promise<readonly [lines: readonly string[], head: string]> {
  const rows = bodies.map((body, index) => ({
    rowId: `r${index}`,
    ordinal: index + 1,
    body: { ...body, rowId: `r${index}`, ordinal: index + 1, time: { created: 0 } } as unknown as Json,
  }));
  const store = {
    rows: async (_: string, __: string, { after: from = 0, limit = 100 }: PageOptions = {}) => ({
      rows: rows.filter(({ ordinal }) => ordinal > from).slice(0, limit),
    }),
  };
  const [head = "", ...lines] = (await handoverOf(store, "s", after))?.text.split("\n") ?? [];
  return [lines, head];
}

const said = (text: string): Body => ({ type: "text", messageId: "m", role: "assistant", text });

describe("what is handed over", () => {
  test("is what the user and the agent said and did, a line of JSON each", async () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const [lines] = await handover([
      { type: "input", status: "answered", parts: [{ type: "text", text: "Look\nhere" }, image] },
      {
        type: "tool",
        callId: "c",
        name: "Bash",
        toolKind: "execute",
        title: "ls",
        output: "long",
        outcome: "ok",
      },
      { type: "tool", callId: "d", name: "Read", toolKind: "read" },
      said("Done."),
      { type: "turn", turnId: "t", outcome: "completed", reason: "harness.completed" },
      { type: "turn", turnId: "u", outcome: "failed", reason: "host-lost", error: { message: "gone" } },
      { type: "turn", turnId: "v", outcome: "cancelled", reason: "harness.interrupted" },
    ]);
    expect(lines).toEqual([
      String.raw`{"user":"Look\nhere\n[image]"}`,
      '{"tool":"Bash","title":"ls","outcome":"ok"}',
      '{"tool":"Read"}',
      '{"assistant":"Done."}',
      '{"turn":"failed","error":"gone"}',
      '{"turn":"cancelled"}',
    ]);
  });

  test("is nothing of what waits, was handed over, was thought, and of subagents", async () => {
    const text = [{ type: "text", text: "x" }] as const;
    const [lines, head] = await handover([
      { type: "input", status: "queued", parts: text },
      { type: "input", status: "unobserved", parts: text, synthetic: true },
      { type: "reasoning", messageId: "m", role: "assistant", text: "Hm." },
      { ...said("In a subagent."), agent: ["a"] },
      { type: "notice", level: "warning", text: "Slow." },
    ]);
    expect([lines, head]).toEqual([[], ""]);
  });

  test("begins after a seq, however many rows there are", async () => {
    const many = Array.from({ length: 1_203 }, (_, index) => said(String(index)));
    const [lines] = await handover(many, 3);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      1_200,
      '{"assistant":"3"}',
      '{"assistant":"1202"}',
    ]);
  });

  test("is cut: a long text, and the oldest of many", async () => {
    const [[line = ""]] = await handover([said("y".repeat(4_001))]);
    expect(line).toBe(`{"assistant":"${"y".repeat(4_000)} […]"}`);
    const [lines, head] = await handover(
      Array.from({ length: 40 }, (_, index) => said(`${index} ${"y".repeat(3_980)}`)),
    );
    expect(lines.join("").length).toBeLessThanOrEqual(64_000);
    expect([lines.length, lines.at(-1)?.startsWith('{"assistant":"39 ')]).toEqual([16, true]);
    expect(head).toContain(" 24 earlier lines are left out.");
  });
});
