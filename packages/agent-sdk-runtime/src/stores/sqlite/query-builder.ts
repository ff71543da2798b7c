import type { Database } from "./driver.ts";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "./tables.ts";

/** Builds queries over the tables; the connection stays its owner's to close. */
export function queryBuilder(database: Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}
