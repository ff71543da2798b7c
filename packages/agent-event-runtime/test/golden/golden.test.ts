import { describe, expect, test } from "vitest";
import { play, goldenCases, goldenText } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";
import { goldenSuite } from "./golden.ts";

describe("recordings with their events written down", () => {
  test.each(goldenSuite(false))("$title", ({ run }) => {
    expect(run).not.toThrow();
  });
});

describe("the golden runner", () => {
  const [recording] = piSubject.recordings;
  const files = new Map<string, string>();
  const kept = {
    read: (name: string) => files.get(name),
    write: (name: string, text: string) => void files.set(name, text),
  };
  const run = (write: boolean) => {
    const subject = {
      adapter: piSubject.adapter,
      recordings: [recording!],
      files: kept,
      write,
      rewrite: "golden --write",
    };
    for (const one of goldenCases(subject)) one.run();
  };

  test("fails without a golden text, writes one when told so, and is content with it then", () => {
    expect(() => run(false)).toThrow(/has no golden text.*golden --write/);
    run(true);
    run(false);
    expect(files.get(recording!.name)).toBe(goldenText(play(piSubject.adapter(), recording!.steps).events));
  });

  test("shows the first line that differs, and what stood there", () => {
    const text = files.get(recording!.name)!;
    files.set(recording!.name, text.replace('"seq":3,', '"seq":33,'));
    expect(() => run(false)).toThrow(/line 3[^]*\n- \{"seq":33,[^]*\n\+ \{"seq":3,/);
    files.set(recording!.name, `${text}{"seq":9999}\n`);
    expect(() => run(false)).toThrow(/- \{"seq":9999\}/);
  });

  test("writes a line for each event, its number and type first", () => {
    for (const line of goldenText(play(piSubject.adapter(), recording!.steps).events).trimEnd().split("\n")) {
      expect(line).toMatch(/^\{"seq":\d+,"type":"[a-z.]+",/);
      expect(JSON.parse(line)).toMatchObject({ v: 1 });
    }
  });
});
