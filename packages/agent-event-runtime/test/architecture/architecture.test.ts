import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { adapters } from "../../src/index.ts";
import * as surface from "../../src/index.ts";
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
      { from: "elsewhere/new.ts", to: "base/read.ts" },
    ];
    expect(forbidden.filter(allowed)).toEqual([]);
  });

  test("nothing imports in a circle", () => {
    const circles = files.filter((file) => reachable(file).has(file));
    expect(circles).toEqual([]);
  });

  test("no file uses a global that is not the language's", () => {
    const globals =
      /\b(process|Buffer|window|document|globalThis|console|setTimeout|setInterval|fetch|require|structuredClone|performance|crypto|Date\.now|Math\.random)\b/;
    const users = files.filter((file) => globals.test(code(file)));
    expect(users).toEqual([]);
    // Browsers, workers and Node share this one.
    expect(files.filter((file) => /\bText(De|En)coder\b/.test(code(file)))).toEqual(["framing/ndjson.ts"]);
  });

  test("files are small", () => {
    const lengths = files
      .map((file) => readFileSync(join(SRC, file), "utf8").split("\n").length)
      .toSorted((a, b) => a - b);
    expect(lengths.at(-1)).toBeLessThanOrEqual(500);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(110);
  });

  test("every adapter folder is in the registry, under its id", () => {
    const folders = readdirSync(join(SRC, "adapters"), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    expect([...adapters.keys()].toSorted()).toEqual(folders.toSorted());
    for (const [id, adapter] of adapters) expect(adapter.id).toBe(id);
  });

  test("the public surface is decided, not grown", () => {
    expect(Object.keys(surface).toSorted()).toEqual([
      "adapters",
      "apply",
      "assertNever",
      "begin",
      "createNdjsonDecoder",
      "dispatch",
      "emit",
      "emptyProjection",
      "emptySnapshot",
      "finish",
      "openRows",
      "piAdapter",
      "restoreProjection",
      "singleSession",
      "transcript",
      "translate",
    ]);
  });
});

/** The file without its comments and strings. */
function code(file: string): string {
  const source = readFileSync(join(SRC, file), "utf8");
  return source.replaceAll(/\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "");
}

function reachable(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  for (const { from, to } of imports) {
    if (from !== file || seen.has(to)) continue;
    seen.add(to);
    reachable(to, seen);
  }
  return seen;
}
