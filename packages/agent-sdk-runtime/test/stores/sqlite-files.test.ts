import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite/index.ts";
import { assertNodeSupported } from "../../src/stores/sqlite/driver.ts";
import { newSession, write } from "../../src/testing/store-samples.ts";
import { openHost, openReader, scratchFolder } from "./scratch.ts";
import { refused } from "../../src/testing/expectations.ts";

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the files of a SQLite store", () => {
  it.each([0o000, 0o022, 0o377])("are for their owner alone, whatever the umask (%o)", async (mask) => {
    const folder = join(scratchFolder(), "state");
    const path = join(folder, "store.db");
    const before = process.umask(mask);
    const store = await openHost(path).finally(() => process.umask(before));
    await store.create(newSession("a"));
    expect([mode(folder), mode(`${path}.hosts`)]).toEqual(["700", "700"]);
    const files = [path, `${path}-wal`, `${path}-shm`, join(`${path}.hosts`, store.hostId)];
    expect(files.map(mode)).toEqual(["600", "600", "600", "600"]);
  });

  it("leave a folder as it is that was there before", async () => {
    const folder = join(scratchFolder(), "shared");
    mkdirSync(folder, { mode: 0o755 });
    await openHost(join(folder, "store.db"));
    expect(mode(folder)).toBe("755");
  });

  it("are not touched before it is opened, nor by refused options", async () => {
    const path = join(scratchFolder(), "state", "store.db");
    const store = sqliteStore({ path });
    await store[Symbol.asyncDispose]();
    expect(readdirSync(join(path, "..", ".."))).toEqual([]);
    for (const bad of ["", " ", ":memory:", "a\0b", `${path} `]) {
      expect(() => sqliteStore({ path: bad })).toThrow(/store/);
    }
    expect(() => sqliteStore({ path, busyTimeoutMs: -1 })).toThrow(/busyTimeoutMs/);
  });

  it("shrink to the database and the opening lock when the last host leaves", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path);
    await store.create(newSession("a"));
    await store.commit([write("a", 0, 50)]);
    await store[Symbol.asyncDispose]();
    expect(readdirSync(join(path, ".."))).toEqual(["store.db", "store.db.hosts"]);
    expect(readdirSync(`${path}.hosts`)).toEqual(["opening"]);
    expect(await (await openReader(path)).head("a")).toBe(50);
  });

  it("outlive a loss of power when that is asked for", async () => {
    const path = join(scratchFolder(), "store.db");
    const store = await openHost(path, { durability: "power" });
    await store.create(newSession("a"));
    expect((await store.commit([write("a", 0, 3)]))[0]?.ok).toBe(true);
  });
});

describe("the Node that a SQLite store needs", () => {
  it.each(["20.20.2", "22.12.0", "18.0.0"])("is not %s: the message names the remedy", async (version) => {
    const check = async () => assertNodeSupported(version);
    await refused(check(), "node-unsupported", "22.13", version);
  });

  it.each(["22.13.0", "22.19.0", "24.0.0", "26.1.0"])("may be %s", (version) => {
    expect(() => assertNodeSupported(version)).not.toThrow();
  });
});
