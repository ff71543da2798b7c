import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: { index: "src/index.ts", "schema/index": "src/schema/index.ts" },
  platform: "neutral",
  target: "node22",
  fixedExtension: false,
  dts: true,
  sourcemap: true,
});

export default config;
