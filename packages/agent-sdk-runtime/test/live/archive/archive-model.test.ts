import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ArchiveReport } from "../../../src/live/archive/archive-report.ts";
import { MAIN, Scene, SESSION } from "./transcripts.ts";

const PATHS = [
  MAIN,
  `${SESSION}/subagents/agent-1.jsonl`,
  `${SESSION}/subagents/agent-1.meta.json`,
  `${SESSION}/tool-results/b1.txt`,
  `${SESSION}/of/a/later/version`,
] as const;

/** What the CLI, or somebody else, does to a file of the tree. */
type Change =
  | { readonly do: "append" | "rewrite" | "replace"; readonly path: string; readonly text: string }
  | { readonly do: "cut" | "alter"; readonly path: string; readonly part: number; readonly length: number }
  | { readonly do: "remove"; readonly path: string };

/** A change, a pass, or the place of an archive taken by a new one. */
type Action = Change | { readonly do: "pass" } | { readonly do: "restart" };

const path = fc.constantFrom(MAIN, MAIN, MAIN, ...PATHS);
/** So small that all of it is compared: equal pieces are likely. */
const small = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 40 });
/** Larger than what is compared, or copied, at a time; as rows are, no two are alike. */
const large = fc
  .tuple(fc.uuid(), fc.constantFrom(16_384, 32_769, 40_000, 262_144, 600_000))
  .map(([id, size]) => Array.from({ length: size / 50 }, (_, row) => `{"row":"${id}-${row}"}\n`).join(""));
const text = fc.oneof({ weight: 3, arbitrary: small }, { weight: 2, arbitrary: large });
const written = (kind: "append" | "rewrite" | "replace") => fc.record({ do: fc.constant(kind), path, text });
const pass = fc.constant<Action>({ do: "pass" });

/** What may happen while a pass runs: all of it can be told from the ends of the files. */
const beside: readonly fc.WeightedArbitrary<Action>[] = [
  { weight: 6, arbitrary: written("append") },
  { weight: 1, arbitrary: written("rewrite") },
  { weight: 1, arbitrary: written("replace") },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<"remove">("remove"), path }) },
  { weight: 5, arbitrary: pass },
];
const between: readonly fc.WeightedArbitrary<Action>[] = [
  ...beside,
  { weight: 1, arbitrary: fc.constant<Action>({ do: "restart" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom<"cut" | "alter">("cut", "cut", "alter"),
      path,
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.constantFrom(1, 100, Number.MAX_SAFE_INTEGER),
    }),
  },
];

function apply(scene: Scene, change: Change): void {
  const file = scene.source(change.path);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  switch (change.do) {
    case "append":
      return scene.append(change.path, change.text);
    case "rewrite":
      return writeFileSync(file, change.text);
    case "replace":
      writeFileSync(`${scene.root}/new`, change.text);
      return renameSync(`${scene.root}/new`, file);
    case "remove":
      return rmSync(file, { force: true });
    case "cut":
      return size === 0 ? undefined : cutOut(file, Math.floor(size * change.part), change.length);
    case "alter":
      return size === 0 ? undefined : alterByte(file, Math.floor((Math.min(size, 16_384) - 1) * change.part));
  }
}

function cutOut(file: string, at: number, length: number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]));
}

function alterByte(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = bytes[at] === 120 ? 121 : 120;
  writeFileSync(file, bytes);
}

/** The copies of what is there equal it, and there is nothing half done. */
function checkEqual(scene: Scene): void {
  const copies = scene.copies();
  for (const [file, bytes] of scene.sources()) {
    expect(copies.get(file) === bytes, `the copy of ${file} equals it`).toBe(true);
    expect(Math.abs(statSync(scene.copy(file)).mtimeMs - statSync(scene.source(file)).mtimeMs)).toBeLessThan(
      1,
    );
  }
  expect(readdirSync(scene.copy(".unfinished"))).toEqual([]);
}

async function withScene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = new Scene();
  try {
    scene.write({ [MAIN]: "" });
    await work(scene);
  } finally {
    scene.remove();
  }
}

it("equals the transcript after every pass, whatever was done to it between passes", async () => {
  const actions = fc.array(fc.oneof(...between), { minLength: 1, maxLength: 25 });
  const run = (happened: readonly Action[]) =>
    withScene(async (scene) => {
      let archive = scene.archive();
      for (const action of [...happened, { do: "pass" } as const]) {
        if (action.do === "restart") archive = scene.archive();
        else if (action.do === "pass") {
          const { problems } = await archive.mirror([SESSION]);
          const there = existsSync(scene.source(MAIN));
          expect(problems).toEqual(there ? [] : [expect.stringContaining("No transcript")]);
          if (there) checkEqual(scene);
        } else apply(scene, action);
      }
    });
  await fc.assert(fc.asyncProperty(actions, run), { numRuns: 100 });
}, 120_000);

it("equals the transcript after a last pass, whatever was written while passes ran", async () => {
  const actions = fc.array(fc.oneof(...beside), { minLength: 1, maxLength: 25 });
  const run = (happened: readonly Action[], scheduling: readonly boolean[]) =>
    withScene(async (scene) => {
      const archives = [scene.archive(), scene.archive()];
      const passes: Promise<ArchiveReport>[] = [];
      for (const [index, action] of happened.entries()) {
        if (action.do === "pass") passes.push(archives[index % 2]!.mirror([SESSION]));
        else if (action.do !== "restart") apply(scene, action);
        if (scheduling[index % scheduling.length] === true) await new Promise(setImmediate);
      }
      const told = (await Promise.all(passes)).flatMap((report) => report.problems);
      expect(told.filter((problem) => !problem.startsWith("No transcript"))).toEqual([]);
      scene.append(MAIN, "");
      const { problems } = await archives[0]!.mirror([SESSION]);
      expect(problems).toEqual([]);
      checkEqual(scene);
    });
  const scheduling = fc.array(fc.boolean(), { minLength: 1, maxLength: 10 });
  await fc.assert(fc.asyncProperty(actions, scheduling, run), { numRuns: 100 });
}, 120_000);
