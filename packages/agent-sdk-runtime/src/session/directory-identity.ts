import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { isGone } from "../base/is-gone.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";

/**
 * What tells a directory from others that had its path before or get it later. Rejects with `directory-missing`
 * where there is none, and with the system's error where that cannot be told.
 */
export async function directoryIdentity(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });
  if (found?.isDirectory()) return `${found.dev}:${found.ino}:${bornAt(found)}`;
  throw new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} does not exist (any more); make it again, or start a session elsewhere.`,
  );
}

// Linux gives an inode number out again at once. macOS does not, and moves the birth time along with a modification
// time that is set before it, as unpacking an archive does.
function bornAt({ birthtimeNs }: BigIntStats): bigint | undefined {
  return process.platform === "linux" ? birthtimeNs : undefined;
}
