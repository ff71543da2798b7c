import type { Json } from "@claxedo/agent-event-runtime";

/** What is stored with a prompt: the session file, and the last entry before the prompt. */
export interface PiBinding {
  readonly sessionFile: string;
  readonly sessionId: string;
  readonly cursor: string | null;
}

/** A stored binding, or `undefined` when it is none of ours. */
export function readBinding(value: Json | undefined): PiBinding | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { sessionFile, sessionId, cursor } = value as Readonly<Record<string, Json>>;
  if (typeof sessionFile !== "string" || typeof sessionId !== "string") return undefined;
  return { sessionFile, sessionId, cursor: typeof cursor === "string" ? cursor : null };
}
