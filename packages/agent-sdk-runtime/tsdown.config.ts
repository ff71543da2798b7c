import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: {
    index: "src/index.ts",
    "harnesses/index": "src/harnesses/index.ts",
    "live/index": "src/live/index.ts",
    "stores/memory/index": "src/stores/memory/index.ts",
    "stores/sqlite/index": "src/stores/sqlite/index.ts",
    "testing/index": "src/testing/index.ts",
  },
  platform: "node",
  target: "node22",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});

export default config;
