import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EventAdapter, adapters, piAdapter, projections } from "../../src/index.ts";
import { adapterConformance } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";
import { type FuzzCase, SEEDLESS, fuzzCases, kitCases } from "./cases.ts";
import { fuzzOptions, seedOf } from "./options.ts";
import { brokenReport } from "./report.ts";
import { type FuzzNews, rounds } from "./rounds.ts";

describe("the options of a fuzz run", () => {
  test("are a minute, any seed and all cases, or what is given", () => {
    expect(fuzzOptions([], 7)).toEqual({ minutes: 1, seed: 7, only: "" });
    expect(fuzzOptions(["--minutes", "0.5", "--seed=-3", "--only", "pi"], 7)).toEqual({
      minutes: 0.5,
      seed: -3,
      only: "pi",
    });
  });

  test.for(["--minutes=0", "--minutes=soon", "--seed=1.5", "--seed=9999999999", "--dir"])(
    "refuse %s",
    (argument) => {
      expect(() => fuzzOptions([argument], 7)).toThrow(TypeError);
    },
  );

  test("give every round a seed of 32 bits", () => {
    expect([0, 1].map((round) => seedOf(2 ** 31 - 1, round))).toEqual([2 ** 31 - 1, -(2 ** 31)]);
  });
});

describe("a fuzz run", () => {
  test("has the laws of every adapter, every projection and the framings, but those that no seed changes", () => {
    const kits = kitCases({ examples: 1 });
    const expected = [...adapters.keys(), ...projections.keys(), "ndjson", "sse"];
    expect(kits.map(([about]) => about).toSorted()).toEqual(expected.toSorted());
    const ids = kits.flatMap(([, cases]) => cases.map(({ id }) => id));
    expect([...SEEDLESS].filter((id) => !ids.includes(id))).toEqual([]);
    expect(fuzzCases({ examples: 1 }, "")).toHaveLength(ids.filter((id) => !SEEDLESS.has(id)).length);
    expect(fuzzCases({ examples: 1 }, "pi/adapter-total").map(({ name }) => name)).toEqual([
      "pi/adapter-total",
    ]);
  });

  test("goes on with the next seed when a round is over", () => {
    const seeds: number[] = [];
    const casesOf = (seed: number): readonly FuzzCase[] => [
      { name: "a", run: () => seeds.push(seed) },
      { name: "b", run: () => undefined },
    ];
    const told = take(rounds({ seed: 5, only: "", examples: 1 }, casesOf), 5);
    expect(told.map(({ news, seed }) => `${news} ${seed}`)).toEqual([
      "kept 5",
      "kept 5",
      "round 5",
      "kept 6",
      "kept 6",
    ]);
    expect(seeds).toEqual([5, 6]);
  });

  test("ends at the first law that is broken, and says how to see that again", () => {
    const [broken] = lastOf(5);
    expect(broken).toMatchObject({ news: "broken", name: "spoilt/adapter-total", seed: 5 });
    if (broken?.news !== "broken") return;
    const report = brokenReport(broken);
    expect(report).toMatch(/seed: 5, path: "[\d:]+"/);
    expect(report).toContain("npm run fuzz -- --seed 5 --only spoilt/adapter-total\n");
    expect(report.length).toBeLessThan(7_000);
    expect(lastOf(5)).toEqual([broken]);
  });
});

describe("npm run fuzz", () => {
  test("ends when the time is over", async () => {
    const { code, stdout } = await ended(start(["--minutes", "0.02", "--only", "ndjson/framing-total"]));
    expect(stdout).toMatch(
      /^fuzz: 0\.02 min from seed \d+\nfuzz: \d+ rounds, \d+ cases in \d+ s: all laws kept\n$/,
    );
    expect(code).toBe(0);
  });

  test("ends at a signal, and says how far it came", async () => {
    const child = start(["--minutes", "10", "--seed", "1"]);
    child.stdout?.once("data", () => child.kill("SIGINT"));
    const { code, stdout } = await ended(child);
    expect(stdout).toMatch(/all laws kept\n$/);
    expect(code).toBe(130);
  });

  test("says what is wrong with its arguments", async () => {
    const { code, stderr } = await ended(start(["--only", "nothing"]));
    expect(stderr).toContain('fuzz: there is no case whose name begins with "nothing".\nUsage: ');
    expect(code).toBe(2);
  });
});

/** The last news of a run over an adapter that throws at one kind of frame. */
function lastOf(first: number): readonly FuzzNews[] {
  const spoilt: EventAdapter = {
    ...(piAdapter as EventAdapter),
    reduce: (state, frame, context) => {
      if (frame.kind === undefined && frame.payload === null) throw new Error("null");
      return (piAdapter as EventAdapter).reduce(state, frame, context);
    },
  };
  const casesOf = (seed: number): readonly FuzzCase[] =>
    adapterConformance({ ...piSubject, adapter: () => spoilt, effort: { examples: 400, seed } })
      .filter(({ id }) => id === "adapter-total")
      .map(({ id, run }) => ({ name: `spoilt/${id}`, run }));
  return take(rounds({ seed: first, only: "", examples: 1 }, casesOf), 20).slice(-1);
}

function take<Item>(items: Iterator<Item>, most: number): readonly Item[] {
  const taken: Item[] = [];
  for (let next = items.next(); next.done !== true && taken.length < most; next = items.next())
    taken.push(next.value);
  return taken;
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args]);
}

async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}
