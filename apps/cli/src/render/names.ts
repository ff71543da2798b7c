import type { TurnRecord } from "@claxedo/agent-sdk-runtime";

/** An id as people see it: without its kind, and only the first of the hexadecimal groups. */
export function shortId(id: string): string {
  return /^[a-z]+_([0-9a-f]{8})-[0-9a-f-]{27}$/.exec(id)?.[1] ?? id;
}

/** How a turn stands: its status, and the reason unless the harness itself said that it is done. */
export function turnVerdict({ status, reason }: Pick<TurnRecord, "status" | "reason">): string {
  return reason === undefined || reason.startsWith("harness.") ? status : `${status} (${reason})`;
}

/** A length of time for people. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
