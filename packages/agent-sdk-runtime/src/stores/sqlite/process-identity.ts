import { readFileSync } from "node:fs";

/** What tells a process from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Names this run of the machine, where the system tells. */
  readonly bootId: string | null;
  /** When the process started, in the system's own unit, where the system tells. */
  readonly start: string | null;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** The identity of this process. On Linux from /proc (proc(5): `starttime` is field 22 of `stat`). */
export function ownIdentity(): ProcessIdentity {
  const stat = readText("/proc/self/stat");
  // The name, field 2, is in parentheses and may itself hold spaces and parentheses.
  const start = stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .at(19);
  const bootId = readText("/proc/sys/kernel/random/boot_id")?.trim();
  return { pid: process.pid, bootId: bootId ?? null, start: start ?? null };
}
