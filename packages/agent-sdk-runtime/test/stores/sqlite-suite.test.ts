import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder, scratchStore } from "./scratch.ts";
import { storeCases } from "./store-suite.ts";

describe("the SQLite store", () => {
  it.each(storeCases)("$title ($id)", async ({ run }) => {
    const path = join(scratchFolder(), "store.db");
    await expect(run({ store: () => scratchStore(path) })).resolves.toBeUndefined();
  });
});
