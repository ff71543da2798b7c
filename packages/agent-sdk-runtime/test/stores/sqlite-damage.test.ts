import Database from "better-sqlite3";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentRuntimeErrorCode } from "../../src/errors/agent-runtime-error.ts";
import { newSession, write } from "../../src/testing/store-samples.ts";
import { openHost, openReader, scratchFolder, scratchProgram, scratchStore } from "./scratch.ts";
import { refused } from "../../src/testing/expectations.ts";

/** A store with 400 events that was closed in good order. */
async function goodStore(): Promise<string> {
  const path = join(scratchFolder(), "store.db");
  const store = await openHost(path);
  await store.create(newSession("a"));
  for (let seq = 0; seq < 400; seq += 100) await store.commit([write("a", seq, 100)]);
  await store[Symbol.asyncDispose]();
  return path;
}

/** A store whose process was killed: what it wrote is in the -wal file. */
async function killedStore(): Promise<string> {
  const path = join(scratchFolder(), "store.db");
  const owner = scratchProgram("own", path, "a");
  await owner.next();
  await owner.kill();
  return path;
}

function zero(path: string, from: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0, from, from + length);
  writeFileSync(path, bytes);
}

interface Damage {
  readonly title: string;
  readonly code: AgentRuntimeErrorCode;
  readonly says: string;
  readonly make: () => Promise<string>;
  readonly role?: "host";
}

const damaged = (title: string, says: string, code: AgentRuntimeErrorCode, harm: (path: string) => void) => ({
  title,
  says,
  code,
  async make() {
    const path = await goodStore();
    harm(path);
    return path;
  },
});

const damages: readonly Damage[] = [
  damaged("cut in half", "damaged", "store-corrupt", (path) => truncateSync(path, statSync(path).size / 2)),
  damaged("cut to nothing", "empty", "store-corrupt", (path) => truncateSync(path, 0)),
  damaged("cut within its header", "damaged", "store-corrupt", (path) => truncateSync(path, 50)),
  damaged("zeroed in the middle", "damaged", "store-corrupt", (path) =>
    zero(path, Math.floor(statSync(path).size / 8192) * 4096, 4096),
  ),
  damaged("zeroed at its beginning", "not a SQLite database", "store-corrupt", (path) => zero(path, 0, 4096)),
  damaged("of text", "not a SQLite database", "store-corrupt", (path) =>
    writeFileSync(path, "hello, this is no database\n".repeat(1000)),
  ),
  damaged("that is a folder", "folder", "store-unavailable", (path) => {
    rmSync(path);
    mkdirSync(path);
  }),
  {
    ...damaged("that is read-only", "read-only", "store-unavailable", (path) => chmodSync(path, 0o444)),
    role: "host",
  },
  damaged("that nobody may read", "read", "store-unavailable", (path) => chmodSync(path, 0o000)),
  damaged("that is a link to nothing", "link", "store-unavailable", (path) => {
    renameSync(path, `${path}.moved`);
    symlinkSync(`${path}.gone`, path);
  }),
  {
    title: "behind a file",
    says: "not a folder",
    code: "store-unavailable",
    role: "host",
    make: async () => join(await goodStore(), "inner", "store.db"),
  },
  damaged("of a newer version", "newer version", "store-newer", (path) => {
    const sqlite = new Database(path);
    sqlite.pragma("user_version = 99");
    sqlite.close();
  }),
  damaged("of another program", "another program", "store-unavailable", (path) => {
    rmSync(path);
    const sqlite = new Database(path);
    sqlite.exec("create table notes (text)");
    sqlite.close();
  }),
  {
    title: "whose -wal file is missing after a kill",
    says: "-wal is missing",
    code: "store-corrupt",
    async make() {
      const path = await killedStore();
      rmSync(`${path}-wal`);
      rmSync(`${path}-shm`);
      return path;
    },
  },
  {
    title: "that was copied alone from a living store",
    says: "-wal is missing",
    code: "store-corrupt",
    async make() {
      const path = await killedStore();
      const copy = join(scratchFolder(), "copy.db");
      copyFileSync(path, copy);
      return copy;
    },
  },
  {
    title: "that is gone while its -wal file is left",
    says: "is missing, but",
    code: "store-corrupt",
    role: "host",
    async make() {
      const path = await killedStore();
      rmSync(path);
      return path;
    },
  },
];

describe("a SQLite store file", () => {
  it.each(damages)("$title is refused as $code, twice, and left as it is (B111)", async (damage) => {
    const path = await damage.make();
    const bytes = () => (existsSync(path) && statSync(path).isFile() ? readFileSync(path) : undefined);
    const before = bytes();
    for (const role of damage.role === undefined ? (["host", "reader"] as const) : [damage.role]) {
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const began = performance.now();
        const message = await refused(scratchStore(path).open(role), damage.code, path, damage.says);
        expect(message).toMatch(/\. [A-Z][^.]+\S*\.( \(\w+\))?$|[Aa]llow/);
        expect(performance.now() - began).toBeLessThan(2000);
      }
    }
    expect(bytes()?.equals(before ?? Buffer.of())).toBe(before === undefined ? undefined : true);
    await openHost(join(scratchFolder(), "other.db"));
  });

  it("says at the read what opening did not find", async () => {
    const path = await goodStore();
    const sqlite = new Database(path);
    sqlite.exec("update events set body = substr(body, 1, 20) where seq = 7");
    sqlite.close();
    const store = await openReader(path);
    expect(await store.events("a", { limit: 6 })).toHaveLength(6);
    await refused(store.events("a"), "store-corrupt", path);
  });

  it("goes on where a killed process left the -wal file", async () => {
    const store = await openHost(await killedStore());
    expect((await store.events("a")).map(({ seq }) => seq)).toEqual([1]);
  });

  it("opens after another program has copied the -wal file back and removed it", async () => {
    const path = await killedStore();
    const sqlite = new Database(path);
    sqlite.prepare("select count(*) from events").get();
    sqlite.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(await (await openHost(path)).head("a")).toBe(1);
  });

  it("is not made by a reader", async () => {
    const path = join(scratchFolder(), "none", "store.db");
    await refused(scratchStore(path).open("reader"), "store-unavailable", path, "does not exist yet");
    expect(existsSync(join(path, ".."))).toBe(false);
  });

  it("opens after a failed attempt, once the reason is gone", async () => {
    const path = await goodStore();
    const store = scratchStore(path);
    chmodSync(path, 0o444);
    await refused(store.open("host"), "store-unavailable");
    chmodSync(path, 0o600);
    await store.open("host");
    expect(await store.head("a")).toBe(400);
  });

  it("leads to the same sessions and owners through a link", async () => {
    const path = await goodStore();
    const link = join(scratchFolder(), "link.db");
    symlinkSync(path, link);
    const [direct, linked] = [await openHost(path), await openHost(link)];
    await direct.acquire("a");
    const message = await refused(linked.acquire("a"), "owned-elsewhere");
    expect(message).toContain(direct.hostId);
  });
});
