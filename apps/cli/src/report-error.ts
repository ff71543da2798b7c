import { AgentRuntimeError } from "@claxedo/agent-sdk-runtime";
import { Cancelled } from "./cancelled.ts";
import { type Console, writeJson } from "./host/console.ts";
import { plainText } from "./render/plain-text.ts";
import { UsageError } from "./usage-error.ts";

/** Tells why the command ended: one sentence on stderr, and as the last line of JSON output an error. */
export async function reportError(console: Console, error: unknown, json: boolean): Promise<void> {
  const message = messageOf(error);
  const hint =
    error instanceof UsageError
      ? `\nSee claxedo ${[error.command, "--help"].filter(Boolean).join(" ")}.`
      : "";
  await console.stderr.write(`claxedo: ${plainText(message)}${hint}\n`);
  if (console.env["CLAXEDO_DEBUG"] === "1") await console.stderr.write(`${plainText(trace(error))}\n`);
  if (json) await writeJson(console, { type: "error", code: codeOf(error), message }).catch(() => undefined);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === "" ? "The command failed without saying why; CLAXEDO_DEBUG=1 shows where." : message;
}

function codeOf(error: unknown): string {
  if (AgentRuntimeError.is(error)) return error.code;
  if (error instanceof UsageError) return "invalid-input";
  return error instanceof Cancelled ? "cancelled" : "internal";
}

function trace(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\nCaused by: ${trace(error.cause)}`;
}
