import { stat } from "node:fs/promises";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";

/** Rejects with `directory-missing` unless an agent could work there. */
export async function checkDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new AgentRuntimeError(
    "directory-missing",
    `There is no directory ${directory}: create it, or choose another.`,
  );
}
