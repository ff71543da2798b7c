import { defineConfig } from "vitest/config";
import { shared } from "./vitest.shared.ts";

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "tools/mock-models",
      { test: { ...shared.test, name: "scripts", include: ["scripts/**/*.test.mjs"] } },
    ],
    maxWorkers: shared.test.maxWorkers,
    coverage: { provider: "v8", include: ["packages/*/src/**"], reporter: ["text-summary", "json-summary"] },
  },
});
