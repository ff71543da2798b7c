import type BetterSqlite from "better-sqlite3";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";

/** A connection of better-sqlite3. */
export type Database = BetterSqlite.Database;

/** The class of better-sqlite3, loaded when a store is opened. */
export type Driver = typeof BetterSqlite;

const lowestNode = [22, 13] as const;

/** Refuses a Node on which the native module would crash the process instead of failing to load. */
export function assertNodeSupported(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1])) return;
  throw new AgentRuntimeError(
    "node-unsupported",
    `The SQLite store needs Node ${lowestNode.join(".")} or later, and this is Node ${version}. Run it with a newer Node.`,
  );
}

/** Loads better-sqlite3, which nothing else imports. */
export async function loadDriver(): Promise<Driver> {
  assertNodeSupported(process.versions.node);
  try {
    return (await import("better-sqlite3")).default;
  } catch (cause) {
    const message = `better-sqlite3 cannot be loaded on ${process.platform}-${process.arch}. Install it beside this package.`;
    throw new AgentRuntimeError("store-unavailable", message, { cause });
  }
}
