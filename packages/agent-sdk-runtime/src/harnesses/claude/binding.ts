import { isAbsolute } from "node:path";
import type { Json } from "@claxedo/agent-event-runtime";
import { isUuid } from "../../live/input.ts";

/** What is stored with a prompt: the session, where its transcript is, and how long that was before the prompt. */
export type ClaudeBinding = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly configDir: string;
  /** In bytes: a transcript only grows. */
  readonly cursor: number;
};

/** A stored binding, or `undefined` when it is none of ours. */
export function readBinding(value: Json | undefined): ClaudeBinding | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { sessionId, cwd, configDir, cursor } = value as Readonly<Record<string, Json>>;
  if (typeof sessionId !== "string" || !isUuid(sessionId)) return undefined;
  if (!isPath(cwd) || !isPath(configDir) || !isSize(cursor)) return undefined;
  return { sessionId, cwd, configDir, cursor };
}

function isSize(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPath(value: Json | undefined): value is string {
  return typeof value === "string" && isAbsolute(value);
}
