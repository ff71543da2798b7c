import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { CLIError } from "../cli-error.ts";

/** Where to look. */
export interface BinaryQuery {
  /** A path, or a name on PATH. */
  readonly binary?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The program to run: the option, else `CLAUDE_CODE_PATH`, else `claude` on PATH, else an installed
 * platform package of `@anthropic-ai/claude-code`. What is named is used or refused, never passed over.
 * Rejects with the fault `not-found`, which tells where it looked.
 */
export async function findBinary({ binary, env }: BinaryQuery): Promise<string> {
  const named = binary ?? (env["CLAUDE_CODE_PATH"] || undefined);
  const places = named === undefined ? [...onPath("claude", env), ...inPackages()] : placesOf(named, env);
  for (const place of places) if (await isProgram(place)) return place;
  const remedy =
    named === undefined
      ? "Install Claude Code, or name its program by the option `binary` or by CLAUDE_CODE_PATH."
      : "Name an executable file, or leave the name out to have it looked for.";
  throw new CLIError(
    { kind: "not-found", looked: places },
    `There is no ${named ?? "claude"} to run (looked at ${places.length === 1 ? "one place" : `${places.length} places`}). ${remedy}`,
  );
}

function placesOf(named: string, env: BinaryQuery["env"]): readonly string[] {
  return named.includes("/") || isAbsolute(named) ? [resolve(named)] : onPath(named, env);
}

function onPath(name: string, env: BinaryQuery["env"]): readonly string[] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name));
}

/** Claude Code's own package holds no program: one package per platform does, as an optional dependency. */
function inPackages(): readonly string[] {
  const require = createRequire(import.meta.url);
  return ["", "-musl"].flatMap((libc) => {
    const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}`;
    try {
      return [join(dirname(require.resolve(`${name}/package.json`)), "claude")];
    } catch {
      return [];
    }
  });
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, isScript(path) ? constants.R_OK : constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** What to start so that a program runs with these arguments. */
export function commandOf(
  binary: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  return isScript(binary)
    ? { command: process.execPath, args: [binary, ...args] }
    : { command: binary, args };
}

/** Whether a program is run by Node, as Claude Code was before it came as a native program. */
function isScript(path: string): boolean {
  return /\.[cm]?js$/u.test(path);
}
