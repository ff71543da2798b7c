import type { ProcessRow } from "./process-table.ts";

/** Which marked processes are meant. With both, a process must match both. */
export interface ProcessMatch {
  /** A beginning of `CLAXEDO_OWNER`, or a test of it. */
  readonly owner?: string | ((owner: string) => boolean);
  /** The exact `CLAXEDO_TURN`. */
  readonly turn?: string;
}

/**
 * The rows that carry the mark, those that share a session one of them leads or led, and all that descends
 * from either. `self` and its ancestors are spared, and so is the session it is in.
 */
export function belonging(
  rows: readonly ProcessRow[],
  match: ProcessMatch,
  self: number,
): readonly ProcessRow[] {
  const spared = ownLine(rows, self);
  const marked = rows.filter((row) => !spared.has(row.pid) && matches(row, match));
  const sessions = sessionsOf(rows, marked, self);
  const chosen = new Map(marked.map((row) => [row.pid, row]));
  for (const row of rows) if (sessions.has(row.session) && !spared.has(row.pid)) chosen.set(row.pid, row);
  const children = groupByParent(rows);
  // The list grows while it is walked.
  const list = [...chosen.values()];
  for (const { pid } of list) {
    for (const child of children.get(pid) ?? []) {
      if (chosen.has(child.pid) || spared.has(child.pid)) continue;
      chosen.set(child.pid, child);
      list.push(child);
    }
  }
  return list;
}

function groupByParent(rows: readonly ProcessRow[]): ReadonlyMap<number, readonly ProcessRow[]> {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  return children;
}

function matches(row: ProcessRow, match: ProcessMatch): boolean {
  const { owner, turn } = match;
  if (row.owner === undefined || (owner === undefined && turn === undefined)) return false;
  if (turn !== undefined && row.turn !== turn) return false;
  if (owner === undefined) return true;
  return typeof owner === "string" ? row.owner.startsWith(owner) : owner(row.owner);
}

/** Sessions of marked processes, unless somebody else leads them. */
function sessionsOf(
  rows: readonly ProcessRow[],
  marked: readonly ProcessRow[],
  self: number,
): ReadonlySet<number> {
  const markedPids = new Set(marked.map((row) => row.pid));
  const others = new Set(rows.filter((row) => !markedPids.has(row.pid)).map((row) => row.pid));
  const own = rows.find((row) => row.pid === self)?.session;
  return new Set(marked.map((row) => row.session).filter((id) => id > 0 && id !== own && !others.has(id)));
}

/** A process and its ancestors. */
function ownLine(rows: readonly ProcessRow[], self: number): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const line = new Set<number>();
  for (let pid: number | undefined = self; pid && !line.has(pid); pid = parents.get(pid)) line.add(pid);
  return line;
}
