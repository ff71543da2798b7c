import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { TurnRecord } from "@claxedo/agent-sdk-runtime";
import { expect, test } from "vitest";
import { closingTable } from "../src/demo/closing-table.ts";
import { checksOf, type Evidence } from "../src/demo/evidence.ts";
import { painter } from "../src/render/style.ts";

function event(seq: number): AgentRuntimeEvent {
  return { v: 1, seq, sessionId: "s", time: 0, adapter: "pi", type: "recovery.ended" };
}

function turn(status: TurnRecord["status"], reason: string): TurnRecord {
  return { turnId: "t", inputId: "i", status, reason, seq: { queued: 1 }, time: { queued: 0 } };
}

const good: Evidence = {
  shown: [event(2)],
  stored: [event(1), event(2), event(3)],
  turns: [turn("completed", "harness.stop"), turn("failed", "host-lost"), turn("completed", "harness.stop")],
  edited: true,
  killedBy: "SIGKILL",
  orphanedStatus: "recovering",
  leftBehind: ["sleep 600"],
  recovery: ["recovering", "idle"],
  lastTurn: turn("failed", "host-lost"),
  orphans: [],
};

const flaws: readonly (readonly [what: string, flaw: Partial<Evidence>])[] = [
  ["file edited", { edited: false }],
  ["host killed", { killedBy: "it ended by itself" }],
  ["recovery", { recovery: ["recovering"] }],
  ["recovery", { orphanedStatus: "idle" }],
  ["last turn then", { lastTurn: turn("completed", "harness.stop") }],
  [
    "turn 2",
    { turns: [turn("completed", "harness.stop"), turn("failed", "harness.error"), turn("completed", "x")] },
  ],
  ["turn 3", { turns: good.turns.slice(0, 2) }],
  ["turn 4", { turns: [...good.turns, turn("completed", "x")] }],
  ["seq dense", { stored: [event(1), event(2), event(4)] }],
  ["shown is stored", { shown: [{ ...event(2), time: 1 }] }],
  ["orphans", { orphans: ["sleep 600"] }],
  ["orphans", { orphans: undefined }],
];

test("holds when everything was as it must be", () => {
  expect(checksOf(good).filter(({ held }) => !held)).toEqual([]);
  expect(closingTable(checksOf(good), painter(false))).toMatch(/\nEverything held\.\n$/);
});

test.for(flaws)("names what did not hold: %s", ([what, flaw]) => {
  const checks = checksOf({ ...good, ...flaw });
  expect(checks.filter(({ held }) => !held).map((check) => check.what)).toContain(what);
  expect(closingTable(checks, painter(false))).toContain(`This did not hold: `);
});
