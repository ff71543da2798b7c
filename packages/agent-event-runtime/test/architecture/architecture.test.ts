import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { adapters, projections } from "../../src/index.ts";
import * as surface from "../../src/index.ts";
import { codeOf, usesHostGlobals } from "./host-globals.ts";
import { importRules } from "./import-rules.ts";

const SRC = join(import.meta.dirname, "../../src");

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports: readonly Import[] = files.flatMap((from) =>
  specifiersIn(readFileSync(join(SRC, from), "utf8")).map((specifier) => ({
    from,
    to: resolved(from, specifier),
  })),
);

function specifiersIn(source: string): readonly string[] {
  const found = source.matchAll(/\bfrom\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g);
  return [...found].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
}

function resolved(from: string, specifier: string): string {
  return specifier.startsWith(".")
    ? relative(SRC, join(SRC, dirname(from), specifier))
    : `package:${specifier}`;
}

/** Whether the file may import that: its own folder, or what its rule allows. */
function allowed({ from, to }: Import): boolean {
  const rule = importRules.find((known) => known.from.test(from));
  return rule !== undefined && (dirname(from) === dirname(to) || rule.may.some((place) => place.test(to)));
}

describe("the architecture of the package", () => {
  test("files import only what the rules for their place allow", () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(imports.filter((one) => !allowed(one))).toEqual([]);
  });

  test("the rules forbid what they should", () => {
    const forbidden: readonly Import[] = [
      { from: "base/read.ts", to: "event/diagnostic.ts" },
      { from: "framing/ndjson.ts", to: "translation/router.ts" },
      { from: "translation/translator.ts", to: "projection/projector.ts" },
      { from: "projection/projector.ts", to: "translation/translator.ts" },
      { from: "adapters/pi/adapter.ts", to: "adapters/codex/adapter.ts" },
      { from: "adapters/pi/adapter.ts", to: "projections/transcript/rows.ts" },
      { from: "projections/transcript/rows.ts", to: "adapters/pi/frames.ts" },
      { from: "base/read.ts", to: "package:node:fs" },
      { from: "event/diagnostic.ts", to: "package:zod/mini" },
      { from: "schema/event-schema.ts", to: "package:zod" },
      { from: "index.ts", to: "schema/event-schema.ts" },
      { from: "index.ts", to: "testing/index.ts" },
      { from: "adapters/pi/adapter.ts", to: "testing/play.ts" },
      { from: "testing/play.ts", to: "adapters/pi/adapter.ts" },
      { from: "translation/translator.ts", to: "package:fast-check" },
      { from: "elsewhere/new.ts", to: "base/read.ts" },
    ];
    expect(forbidden.filter(allowed)).toEqual([]);
  });

  test("nothing imports in a circle", () => {
    const circles = files.filter((file) => reachable(file).has(file));
    expect(circles).toEqual([]);
  });

  test("no file uses a global that is not the language's", () => {
    expect(files.filter((file) => usesHostGlobals(source(file)))).toEqual([]);
    // Browsers, workers and Node share this one.
    expect(files.filter((file) => /\bText(De|En)coder\b/.test(codeOf(source(file))))).toEqual([
      "framing/utf8.ts",
    ]);
  });

  test("files are small", () => {
    const lengths = files
      .map((file) => readFileSync(join(SRC, file), "utf8").split("\n").length)
      .toSorted((a, b) => a - b);
    expect(lengths.at(-1)).toBeLessThanOrEqual(500);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(110);
  });

  test("the core reaches no package and no schema", () => {
    const reached = [...reachable("index.ts")];
    expect(reached.length).toBeGreaterThan(40);
    expect(reached.filter((place) => /^(package:|schema\/)/.test(place))).toEqual([]);
    expect([...reachable("schema/index.ts")]).toContain("package:zod/mini");
  });

  test("every adapter folder is in the registry, under its id", () => {
    expect([...adapters.keys()].toSorted()).toEqual(foldersIn("adapters"));
    for (const [id, adapter] of adapters) expect(adapter.id).toBe(id);
  });

  test("every projection folder is in the registry, under its id", () => {
    expect([...projections.keys()].toSorted()).toEqual(foldersIn("projections"));
    for (const [id, projection] of projections) expect(projection.id).toBe(id);
  });

  test("the public surface is decided, not grown", () => {
    expect(Object.keys(surface).toSorted()).toEqual([
      "adapters",
      "apply",
      "assertNever",
      "begin",
      "claudeAdapter",
      "combineUsage",
      "createNdjsonDecoder",
      "createSseDecoder",
      "debugTrace",
      "dispatch",
      "emit",
      "emptyProjection",
      "emptySnapshot",
      "finish",
      "openRows",
      "piAdapter",
      "projections",
      "readJsonRpc",
      "restoreProjection",
      "singleSession",
      "transcript",
      "translate",
    ]);
  });
});

function foldersIn(place: string): readonly string[] {
  const entries = readdirSync(join(SRC, place), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

function source(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}

function reachable(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  for (const { from, to } of imports) {
    if (from !== file || seen.has(to)) continue;
    seen.add(to);
    reachable(to, seen);
  }
  return seen;
}
