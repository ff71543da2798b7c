import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { usesHostGlobals } from "./host-globals.ts";

const PACKAGE = join(import.meta.dirname, "../..");

/** What a page has to load for an entry point, and the packages that the loaded files name. */
interface Loaded {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

function load(entry: string): Loaded {
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = [join(PACKAGE, entry)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const specifier of specifiersIn(readFileSync(file, "utf8")))
      if (specifier.startsWith(".")) open.push(join(file, "..", specifier));
      else packages.add(specifier);
  }
  return { files: [...files], packages: [...packages] };
}

function specifiersIn(source: string): readonly string[] {
  const found = source.matchAll(
    /^(?:import|export)\b[^"';]*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...found].map(([, declared, called]) => declared ?? called ?? "");
}

describe("the built entry points", () => {
  const entries = Object.entries(manifest.publishConfig.exports).filter(([, file]) => file.endsWith(".js"));

  test("load no package but their own, and nothing of Node", () => {
    const packages = entries.map(([name, file]) => [name, load(file).packages]);
    expect(Object.fromEntries(packages)).toEqual({
      ".": [],
      "./schema": ["zod/mini"],
      "./testing": ["fast-check"],
    });
  });

  test.each(entries)("%s uses no global but the language's", (_name, file) => {
    const { files } = load(file);
    const users = files.filter((loaded) => usesHostGlobals(readFileSync(loaded, "utf8")));
    expect(users.map((user) => relative(PACKAGE, user))).toEqual([]);
  });

  test("the walk finds what it looks for", () => {
    const source = `import a from "a";\nimport {\n  b,\n} from './b.js';\nexport * from "c";\nimport "node:fs";\nconst d = await import("d");`;
    expect(specifiersIn(source)).toEqual(["a", "./b.js", "c", "node:fs", "d"]);
    expect(load("dist/index.js").files.length).toBeGreaterThan(5);
    expect(usesHostGlobals('import "node:process";\nprocess.exit();')).toBe(true);
    expect(usesHostGlobals("const told = 'the'; // process")).toBe(false);
  });
});
