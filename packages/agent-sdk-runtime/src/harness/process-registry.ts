import { setTimeout as delay } from "node:timers/promises";
import { belonging, type ProcessMatch } from "./process-match.ts";
import { isAlive, type ProcessRow, readCommandLine, readProcessTable } from "./process-table.ts";

export type { ProcessMatch } from "./process-match.ts";

/** A process that belongs to a match. */
export interface MarkedProcess {
  readonly pid: number;
  /** With the pid it names one process for ever. */
  readonly startTime: string;
  readonly command: string;
}

/** What was found. */
export interface MarkedProcesses {
  /** False where processes cannot be inspected: then an empty list says nothing. */
  readonly supported: boolean;
  readonly processes: readonly MarkedProcess[];
  /** How many processes could not be looked into (other users'). */
  readonly unreadable: number;
}

/** What became of the processes of a match. */
export interface EndedProcesses {
  readonly supported: boolean;
  readonly ended: readonly MarkedProcess[];
  readonly survived: readonly MarkedProcess[];
}

/** How long to wait after each signal, in milliseconds. */
export interface EndLimits {
  readonly termMs: number;
  readonly killMs: number;
}

/**
 * The processes that carry a mark in the environment they were started with, what descends from them, and
 * what shares a session (`setsid`) that one of them leads or led. Never this process or its ancestors.
 */
export function findMarked(match: ProcessMatch): MarkedProcesses {
  const table = readProcessTable();
  if (table === undefined) return { supported: false, processes: [], unreadable: 0 };
  const processes = belonging(table.rows, match, process.pid).map(describe);
  return { supported: true, processes, unreadable: table.unreadable };
}

/**
 * Ends them: SIGTERM, a bounded wait, SIGKILL, again until none is left or the time is over. Processes that
 * appear meanwhile are ended too. Before each signal the start time is looked at again.
 */
export async function endMarked(match: ProcessMatch, limits: EndLimits): Promise<EndedProcesses> {
  const seen = new Map<string, MarkedProcess>();
  let found = await signalUntilGone(match, "SIGTERM", limits.termMs, seen);
  if (found.processes.length > 0) found = await signalUntilGone(match, "SIGKILL", limits.killMs, seen);
  const left = new Set(found.processes.map(keyOf));
  const [survived, ended] = [true, false].map((alive) =>
    [...seen.values()].filter((one) => left.has(keyOf(one)) === alive),
  );
  return { supported: found.supported, ended: ended ?? [], survived: survived ?? [] };
}

async function signalUntilGone(
  match: ProcessMatch,
  name: "SIGTERM" | "SIGKILL",
  limitMs: number,
  seen: Map<string, MarkedProcess>,
): Promise<MarkedProcesses> {
  const deadline = Date.now() + limitMs;
  const signalled = new Set<string>();
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 80)) {
    const found = findMarked(match);
    for (const one of found.processes) {
      seen.set(keyOf(one), one);
      if (!signalled.has(keyOf(one))) signal(one, name);
      signalled.add(keyOf(one));
    }
    const leftMs = deadline - Date.now();
    if (found.processes.length === 0 || leftMs <= 0) return found;
    await delay(Math.min(pauseMs, leftMs));
  }
}

function signal(target: MarkedProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (!isAlive(target)) return;
  try {
    process.kill(target.pid, name);
  } catch {
    // Gone in between, or not ours to signal: the next look tells.
  }
}

function describe(row: ProcessRow): MarkedProcess {
  return { pid: row.pid, startTime: row.startTime, command: readCommandLine(row.pid) };
}

function keyOf(one: MarkedProcess): string {
  return `${one.pid}@${one.startTime}`;
}
