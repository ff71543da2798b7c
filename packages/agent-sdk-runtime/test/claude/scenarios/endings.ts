import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { account } from "@claxedo/agent-event-runtime/testing";
import { expect } from "vitest";
import { createAgentRuntime, type SessionStore } from "../../../src/index.ts";

/** The events open nothing that they do not end, and tell of no fault but those. */
export function expectBalanced(events: readonly AgentRuntimeEvent[], expected: readonly string[]): void {
  expect(
    events.map(({ seq }) => seq),
    "seq without a gap",
  ).toEqual(events.map((_, index) => index + 1));
  const { opened, ended } = account(events);
  expect(opened.toSorted(), "what was opened was ended, once").toEqual(ended.toSorted());
  const faults = events.filter((event) => event.type === "diagnostic" && event.severity !== "info");
  const others = faults.filter((fault) => fault.type === "diagnostic" && !expected.includes(fault.code));
  expect(others, "diagnostics").toEqual([]);
}

/** Every session of a store is at rest, every turn has its verdict, every log is without loose ends. */
export async function expectSettled(store: SessionStore, expected: readonly string[]): Promise<void> {
  await using runtime = createAgentRuntime({ store, harnesses: [], role: "reader" });
  for (const { id, status } of await runtime.sessions.list()) {
    expect(status).toBe("idle");
    const turns = await runtime.turns.list(id);
    for (const turn of turns) expect(["completed", "failed", "cancelled"]).toContain(turn.status);
    const events = await runtime.events.list(id, { limit: 100_000 });
    expectBalanced(events, expected);
    for (const noun of ["turn", "harness", "recovery"]) {
      const ended = events.filter(({ type }) => type === `${noun}.ended`).length;
      const begun = events.filter(({ type }) => type === `${noun}.${noun === "turn" ? "queued" : "started"}`);
      expect(begun.length, `${noun}s that were ended`).toBe(ended);
    }
  }
}
