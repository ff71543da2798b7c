import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { messageOf } from "../../base/message-of.ts";
import type { HarnessHealth } from "../../harness/harness.ts";
import { field, textField } from "../../live/messages.ts";
import { childEnvironment } from "../../live/process/environment.ts";
import { commandOf, findBinary } from "../../live/process/find-binary.ts";
import { redacted, secretsOf } from "../../live/process/redacted.ts";
import type { ClaudeOptions } from "./options.ts";

/** The version whose wire is known. */
const KNOWN = [2, 1, 332] as const;

const LIMITS = { timeout: 10_000, maxBuffer: 64 * 1024, killSignal: "SIGKILL" } as const;

/** Whether there is a program, and which version it says it is. */
export async function claudeHealth({ binary, env }: ClaudeOptions): Promise<HarnessHealth> {
  try {
    const found = await findBinary({ binary, env: { ...process.env, ...env } });
    return healthOf(found, await versionText(found, env));
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

/** What a program that answers this to `--version` is good for. */
export function healthOf(binary: string, said: string): HarnessHealth {
  const [version, ...numbers] = /\b(\d+)\.(\d+)\.(\d+)\b/u.exec(said) ?? [];
  if (version === undefined)
    return { ok: false, message: `${binary} does not say which version of Claude Code it is.` };
  const message = `It was never tried with this package, which knows ${KNOWN.join(".")}: an older one may not tell what becomes of each prompt.`;
  return { ok: true, version, program: binary, ...(isOlder(numbers.map(Number)) ? { message } : undefined) };
}

async function versionText(binary: string, added: ClaudeOptions["env"]): Promise<string> {
  const { command, args } = commandOf(binary, ["--version"]);
  const env = childEnvironment(process.env, added, `health.${process.pid}.${randomUUID()}_1`);
  try {
    return (await promisify(execFile)(command, [...args], { ...LIMITS, env })).stdout;
  } catch (cause) {
    const why = reasonOf(cause, secretsOf(env));
    throw new Error(`${binary} does not tell its version: ${why}.`, { cause });
  }
}

/** Why it failed, as `execFile` tells: by the last that the program said, else by its end. */
function reasonOf(cause: unknown, secrets: readonly string[]): string {
  const said = (textField(cause, "stderr") ?? "").trim().split("\n").at(-1) ?? "";
  if (said !== "") return redacted(said, secrets).slice(0, 300);
  if (field(cause, "killed") === true) return `it was ended after ${LIMITS.timeout} ms`;
  return String(textField(cause, "code") ?? `it ended with exit code ${String(field(cause, "code"))}`);
}

function isOlder(version: readonly number[]): boolean {
  const at = KNOWN.findIndex((known, index) => known !== version[index]);
  return at >= 0 && (version[at] ?? 0) < (KNOWN[at] ?? 0);
}
