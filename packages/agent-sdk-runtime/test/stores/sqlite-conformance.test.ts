import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { storeConformance } from "../../src/testing/index.ts";

const program = fileURLToPath(new URL("fixtures/serve-sqlite.ts", import.meta.url));

const cases = storeConformance({
  supports: { severalHosts: true, readers: true, persistent: true, multiProcess: true },
  place() {
    const folder = mkdtempSync(join(tmpdir(), "claxedo-store-"));
    const path = join(folder, "store.db");
    return {
      store: () => sqliteStore({ path }),
      program: [process.execPath, "--conditions=@claxedo/source", "--no-warnings", program, path],
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});

describe("the SQLite store keeps the contract", () => {
  test.each(cases)("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
