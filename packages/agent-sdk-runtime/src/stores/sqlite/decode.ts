import type { HarnessChoice } from "../../harness/harness.ts";
import type { HostInfo, StoredSession } from "../session-store.ts";
import { storeError } from "./store-error.ts";
import type { SessionRow } from "./read-statements.ts";
import { fromColumn } from "./text-column.ts";

/** Reads stored JSON; what this package wrote has the type it was written with. */
export function parseStored<Value>(path: string, json: string): Value {
  try {
    return JSON.parse(json) as Value;
  } catch (cause) {
    const sentence = "a record in it is damaged. It was left as it is. Restore a copy, or name another path.";
    throw storeError("store-corrupt", path, sentence, cause);
  }
}

/** The owner of a session's row, when that host lives. */
export function ownerOf(row: SessionRow, isAlive: (hostId: string) => boolean): HostInfo | undefined {
  const { owner_host: hostId, pid } = row;
  return hostId !== null && isAlive(hostId) ? { hostId, pid: pid ?? 0 } : undefined;
}

/** A session's row as the contract has it. */
export function decodeSession(path: string, row: SessionRow, owner: HostInfo | undefined): StoredSession {
  return {
    id: fromColumn(row.id),
    directory: fromColumn(row.directory),
    harness: { id: fromColumn(row.harness), access: row.access as HarnessChoice["access"] },
    ...(row.model === null ? {} : { model: fromColumn(row.model) }),
    ...(row.title === null ? {} : { title: fromColumn(row.title) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    headSeq: row.head_seq,
    state: parseStored(path, row.state),
    ...(owner === undefined ? {} : { owner }),
  };
}
