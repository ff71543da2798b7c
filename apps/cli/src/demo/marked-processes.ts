import { readdir, readFile } from "node:fs/promises";

/** A process that a host of a store has started. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that carry the mark of a store in their environment; `undefined` where there is no /proc. */
export async function markedProcesses(storeId: string): Promise<readonly MarkedProcess[] | undefined> {
  const names = await readdir("/proc").catch(() => undefined);
  if (names === undefined) return undefined;
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => look(Number(pid), storeId)),
  );
  return found.filter((one) => one !== undefined);
}

async function look(pid: number, storeId: string): Promise<MarkedProcess | undefined> {
  try {
    const variables = await read(pid, "environ");
    if (!variables.some((variable) => variable.startsWith(`CLAXEDO_OWNER=${storeId}.`))) return undefined;
    return { pid, command: (await read(pid, "cmdline")).join(" ") };
  } catch {
    // Gone meanwhile, or another user's.
    return undefined;
  }
}

async function read(pid: number, name: "environ" | "cmdline"): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/${name}`, "utf8");
  return text.split("\0").filter((part) => part !== "");
}
