import Database from "better-sqlite3";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { appendStatements } from "../../src/stores/sqlite/append-statements.ts";
import type { Bindings, Prepare } from "../../src/stores/sqlite/compiled-statement.ts";
import { queryBuilder } from "../../src/stores/sqlite/query-builder.ts";
import { readStatements } from "../../src/stores/sqlite/read-statements.ts";
import { openHost, scratchFolder } from "./scratch.ts";

describe("the queries of the SQLite store", () => {
  it("find what they look for by an index: cost follows the answer, not the history", async () => {
    const path = join(scratchFolder(), "store.db");
    await openHost(path);
    const sqlite = new Database(path, { readonly: true });
    onTestFinished(() => void sqlite.close());
    const plans: string[] = [];
    const explain = ((build) => {
      const { sql, parameters } = build(new Proxy({}, { get: () => 0 }) as Bindings as never).compile();
      const steps = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
      plans.push(...steps.all(...parameters).map(({ detail }) => detail));
      return { run: () => ({ id: 0, changes: 0 }), get: () => undefined, all: () => [] };
    }) as Prepare;
    const db = queryBuilder(sqlite);
    readStatements(db, explain);
    appendStatements(db, explain);
    expect(plans.filter((step) => /SCAN|TEMP B-TREE/.test(step)).toSorted()).toEqual([
      // Sessions are listed in the order of this index, and stop at the limit.
      "SCAN s USING INDEX sessions_by_creation",
      // This index holds running turns alone.
      "SCAN t USING COVERING INDEX turns_running",
      // Both sort few rows: those running turns, and the asks of one session.
      "USE TEMP B-TREE FOR DISTINCT",
      "USE TEMP B-TREE FOR ORDER BY",
    ]);
  });
});
