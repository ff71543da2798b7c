import Database from "better-sqlite3";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newSession, write } from "../../src/testing/store-samples.ts";
import { openHost, scratchFolder, scratchProgram, scratchStore } from "./scratch.ts";
import { refused } from "../../src/testing/expectations.ts";

const fixtures = new URL("fixtures/", import.meta.url);
const migrations = new URL("../../src/stores/sqlite/migrations/", import.meta.url);

/** Every version before this one, as a store of that version was: written out when the next version came. */
const versions = readdirSync(migrations)
  .slice(0, -1)
  .map((_, index) => index + 1);

/** A store as that version left it, with two events in the session `a`. */
function oldStore(version: number): string {
  const path = join(scratchFolder(), "store.db");
  const sqlite = new Database(path);
  sqlite.exec(readFileSync(new URL(`schema-${version}.sql`, fixtures), "utf8"));
  sqlite.close();
  return path;
}

function schemaOf(path: string): unknown[] {
  const sqlite = new Database(path, { readonly: true });
  const schema = sqlite.prepare("select name, sql from sqlite_schema order by name").all();
  const version = sqlite.pragma("user_version", { simple: true });
  sqlite.close();
  return [version, ...schema];
}

describe("a SQLite store of an older version", () => {
  it.each(versions)("%i is updated by a host, loses nothing, and looks like a new one", async (version) => {
    const path = oldStore(version);
    const store = await openHost(path);
    expect((await store.events("a")).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await store.turns("a")).toHaveLength(1);
    const { epoch } = await store.acquire("a");
    expect((await store.commit([write("a", 2, 1, { epoch })]))[0]?.ok).toBe(true);
    await store.remove("a", epoch);
    await refused(store.create(newSession("a")), "invalid-input");
    const fresh = join(scratchFolder(), "store.db");
    await openHost(fresh);
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
  });

  it.each(versions)("%i is left as it is by a reader, who says what to do", async (version) => {
    const path = oldStore(version);
    const before = readFileSync(path);
    await refused(
      scratchStore(path).open("reader"),
      "store-unavailable",
      path,
      "older version",
      "for writing",
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is updated once when several processes open it at once", async () => {
    const path = oldStore(1);
    const openers = [1, 2, 3].map(() => scratchProgram("open", path, "host"));
    const answers = await Promise.all(openers.map((opener) => opener.next<{ sessions: number }>()));
    expect(answers.map((answer) => answer?.sessions)).toEqual([1, 1, 1]);
    await Promise.all(openers.map((opener) => opener.rest()));
  });
});
