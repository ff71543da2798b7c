import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: { cli: "src/cli.ts" },
  platform: "node",
  target: "node22",
  fixedExtension: false,
  dts: false,
  sourcemap: true,
});

export default config;
