import Database from "better-sqlite3";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { walLimitBytes } from "../../src/stores/sqlite/open-store.ts";
import { newSession, write } from "../../src/testing/store-samples.ts";
import { openHost, openReader, scratchFolder, scratchProgram } from "./scratch.ts";

const walSize = (path: string) => statSync(`${path}-wal`).size;

describe("the -wal file of a SQLite store", () => {
  it("grows under a reader that holds on, and shrinks when it lets go and nothing happens (B109)", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    await store.create(newSession("a"));
    const other = new Database(path, { readonly: true });
    const rows = other.prepare("select * from sessions").iterate();
    rows.next();
    let seq = 0;
    for (; seq < 120_000; seq += 1000) await store.commit([write("a", seq, 1000)]);
    expect(walSize(path)).toBeGreaterThan(walLimitBytes);
    rows.return?.();
    other.close();
    await expect.poll(() => walSize(path), { timeout: 15_000, interval: 250 }).toBeLessThan(100_000);
    expect(await store.head("a")).toBe(seq);
  });

  it("stays under its limit while readers come and go and the writer never pauses (B109)", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    const reader = await openReader(path);
    await store.create(newSession("a"));
    let largest = 0;
    for (let seq = 0; seq < 100_000; seq += 1000) {
      await store.commit([write("a", seq, 1000)]);
      await reader.events("a", { after: seq, limit: 100 });
      largest = Math.max(largest, walSize(path));
    }
    expect(largest).toBeLessThan(walLimitBytes);
  });

  it("lets its process end while the store is open and idle", async () => {
    const path = join(scratchFolder(), "store.db");
    const program = scratchProgram("leaveOpen", path);
    expect(await program.next()).toBe("left open");
    const began = performance.now();
    await program.rest();
    expect(performance.now() - began).toBeLessThan(1500);
  });
});
