import { readdirSync } from "node:fs";
import { defineConfig, type UserConfig } from "tsdown";

// Each adapter and projection is a file of its own, though nobody imports it by that name. Bundlers drop unused files
// as a whole (`sideEffects: false`); in a file that they need, they keep whatever is called at its top level.
const parts = [
  ...foldersIn("src/adapters").map((id) => [`adapters/${id}`, `src/adapters/${id}/adapter.ts`]),
  ...foldersIn("src/projections").map((id) => [`projections/${id}`, `src/projections/${id}/${id}.ts`]),
];

const config: UserConfig = defineConfig({
  entry: {
    index: "src/index.ts",
    "schema/index": "src/schema/index.ts",
    "testing/index": "src/testing/index.ts",
    ...Object.fromEntries(parts),
  },
  platform: "neutral",
  target: "node22",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
  outputOptions: { minifyInternalExports: false },
});

export default config;

function foldersIn(place: string): readonly string[] {
  const entries = readdirSync(place, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
