import { readdirSync, readFileSync } from "node:fs";

/** A process as /proc shows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The process group leader's session (`setsid`), not one of ours. */
  readonly session: number;
  /** Clock ticks after boot: with the pid it names one process for ever. */
  readonly startTime: string;
  readonly owner?: string;
  readonly turn?: string;
}

/** All living processes, and how many could not be looked into. */
export interface ProcessTable {
  readonly rows: readonly ProcessRow[];
  readonly unreadable: number;
}

const OWNER = "CLAXEDO_OWNER=";
const TURN = "CLAXEDO_TURN=";

/** Reads the table; `undefined` where there is no /proc to read. */
export function readProcessTable(): ProcessTable | undefined {
  const pids = listPids();
  if (pids === undefined) return undefined;
  let unreadable = 0;
  const rows: ProcessRow[] = [];
  for (const pid of pids) {
    const stat = readStat(pid);
    if (stat === undefined) continue;
    const marks = readMarks(pid);
    if (marks === "unreadable") unreadable += 1;
    rows.push(marks === "unreadable" ? stat : { ...stat, ...marks });
  }
  return { rows, unreadable };
}

/** Whether that very process still runs: pids are given out again, start times are not. */
export function isAlive(process: { readonly pid: number; readonly startTime: string }): boolean {
  return readStat(process.pid)?.startTime === process.startTime;
}

/** The command line of a process, shortened. */
export function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim().slice(0, 200);
  } catch {
    return "";
  }
}

function listPids(): readonly number[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/u.test(name) ? [Number(name)] : []));
  } catch {
    return undefined;
  }
}

/** `undefined` for a process that is gone or only waits to be reaped. Fields: proc(5), /proc/pid/stat. */
function readStat(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may hold anything, so the fields after it are counted from its end.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent = "", , session = ""] = fields;
    if (state === "Z" || state === "X") return undefined;
    return { pid, parent: Number(parent), session: Number(session), startTime: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

function readMarks(pid: number): Pick<ProcessRow, "owner" | "turn"> | "unreadable" {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    const owner = valueOf(environment, OWNER);
    const turn = valueOf(environment, TURN);
    return { ...(owner !== undefined && { owner }), ...(turn !== undefined && { turn }) };
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? {} : "unreadable";
  }
}

/** A variable of an environment, whose entries end with NUL. */
function valueOf(environment: Buffer, prefix: string): string | undefined {
  const isFirst = environment.subarray(0, prefix.length).equals(Buffer.from(prefix));
  const start = isFirst ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (start === 0 && !isFirst) return undefined;
  const end = environment.indexOf(0, start);
  return environment.toString("utf8", start + prefix.length, end < 0 ? environment.length : end);
}
