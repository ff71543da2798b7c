import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { piAdapter } from "../../src/index.ts";
import { everyEvent, play, projectionConformance } from "../../src/testing/index.ts";
import { recording } from "../pi/recordings.ts";
import { recordedHistories } from "../subjects.ts";
import { follow } from "./follow.ts";
import { type ToolTime, toolTimes } from "./tool-times.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/writing-a-projection.md"), "utf8");

describe("the page on writing a projection", () => {
  test("shows the examples that are run here, and no others", () => {
    const shown = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
    const run = ["tool-times.ts", "tool-times.test.ts", "follow.ts"].map((name) =>
      readFileSync(join(import.meta.dirname, name), "utf8"),
    );
    expect(shown).toEqual(run);
    const sources = run.flatMap((code) =>
      [...code.matchAll(/ from "([^"]+)"/g)].map(([, source]) => source ?? ""),
    );
    expect([...new Set(sources)].toSorted()).toEqual([
      "./tool-times.ts",
      "@claxedo/agent-event-runtime",
      "@claxedo/agent-event-runtime/schema",
      "@claxedo/agent-event-runtime/testing",
      "vitest",
    ]);
  });

  const histories = recordedHistories().map(({ events }) => events);

  test.each(projectionConformance({ projection: () => toolTimes, histories }))(
    "has an example that $title ($id)",
    ({ run }) => {
      expect(run).not.toThrow();
    },
  );

  test("has an example that can be stopped and goes on, and that minds no event of the future", () => {
    const { events } = play(piAdapter, recording("1.6.0-06-parallel-tools").steps);
    const future = { ...everyEvent[0], seq: events.length + 1, type: "harness.dreamt" };
    const lines = [...events, future].map((event) => JSON.stringify(event));
    const times: ToolTime[] = [];
    const write = (time: ToolTime): number => times.push(time);
    const cut = events.findIndex(({ type }) => type === "tool.started") + 1;
    const half = follow(toolTimes, undefined, lines.slice(0, cut), write);
    expect(half.state).toHaveLength(1);
    const whole = follow(toolTimes, JSON.parse(JSON.stringify(half)), lines, write);
    expect(whole).toMatchObject({ projection: "tool-times", seq: lines.length, state: [] });
    expect(times.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(["bash ok", "read ok", "bash ok"]);
    expect(times.every(({ ms }) => ms >= 0)).toBe(true);
    expect(() => follow(toolTimes, half, lines.slice(cut + 1), write)).toThrow(`Read again from ${cut + 1}`);
  });
});
