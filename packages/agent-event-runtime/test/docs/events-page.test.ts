import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TranscriptRow } from "../../src/index.ts";
import { everyDraft, play, received, sent } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/events.md"), "utf8");

/** The words in code style in the first cells of the tables below a heading. */
function firstCells(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  const cells = [...section.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ""));
}

describe("the page on events", () => {
  test("has one row for each type of event", () => {
    expect(firstCells("The types").toSorted()).toEqual(everyDraft.map(({ type }) => type).toSorted());
  });

  test("has one row for each kind of row of the transcript", () => {
    const kinds: { readonly [Kind in TranscriptRow["type"]]: true } = {
      input: true,
      text: true,
      reasoning: true,
      media: true,
      tool: true,
      amendment: true,
      file: true,
      plan: true,
      todo: true,
      permission: true,
      question: true,
      task: true,
      turn: true,
      notice: true,
    };
    expect(firstCells("Projections").toSorted()).toEqual(Object.keys(kinds).toSorted());
  });

  test("explains every diagnostic that the recordings of pi bring about", () => {
    const codes = piSubject.recordings.flatMap(({ steps }) =>
      play(piSubject.adapter(), steps).events.flatMap((event) =>
        event.type === "diagnostic" ? [event.code] : [],
      ),
    );
    expect(firstCells("Diagnostics")).toEqual(expect.arrayContaining(codes));
  });

  test("names ids as the pi adapter makes them", () => {
    const { events } = play(piSubject.adapter(), [
      sent({ type: "prompt", message: "hi" }),
      received({ type: "agent_start" }),
    ]);
    expect(events).toMatchObject([{ inputId: "i1" }, { runId: "r2" }]);
  });
});
