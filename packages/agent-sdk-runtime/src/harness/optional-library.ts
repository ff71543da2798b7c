import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { messageOf } from "../base/message-of.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { HarnessHealth } from "./harness.ts";

/** A package that is used only where the host has installed it. */
export interface OptionalLibrary<Module> {
  readonly name: string;
  /** The oldest version that works; newer ones of the same major do too. */
  readonly minimum: string;
  /** The oldest Node it runs on. */
  readonly node: string;
  /** The dynamic import, spelled out where bundlers see it. */
  readonly load: () => Promise<Module>;
}

/** Where a library is looked up. */
export interface LibraryHost {
  readonly nodeVersion: string;
  /** The version of an installed package, found without loading it. */
  installedVersion(name: string): string | undefined;
}

/** This process. */
export const thisProcess: LibraryHost = {
  nodeVersion: process.versions.node,
  installedVersion: readInstalledVersion,
};

/** Tells whether a library could be loaded, without loading it. */
export function libraryHealth(
  library: OptionalLibrary<unknown>,
  host: LibraryHost = thisProcess,
): HarnessHealth {
  const version = host.installedVersion(library.name);
  const message = obstacle(library, host.nodeVersion, version) ?? (version ? undefined : missing(library));
  return { ok: message === undefined, ...(version && { version }), ...(message && { message }) };
}

/** Loads a library, or rejects with `harness-unavailable` and what to do about it. */
export async function loadLibrary<Module>(
  library: OptionalLibrary<Module>,
  host: LibraryHost = thisProcess,
): Promise<Module> {
  const version = host.installedVersion(library.name);
  const message = obstacle(library, host.nodeVersion, version);
  if (message) throw new AgentRuntimeError("harness-unavailable", message);
  try {
    return await library.load();
  } catch (cause) {
    // A package that was not found on disk may still load (bundled, Plug'n'Play): importing decides.
    const text =
      version === undefined
        ? missing(library)
        : `${library.name} ${version} does not load: ${messageOf(cause)}`;
    throw new AgentRuntimeError("harness-unavailable", text, { cause });
  }
}

function obstacle(
  library: OptionalLibrary<unknown>,
  node: string,
  version: string | undefined,
): string | undefined {
  if (!atLeast(node, library.node)) {
    return `${library.name} needs Node ${library.node} or newer, and this is Node ${node}: run it on a newer Node.`;
  }
  if (version === undefined || fits(version, library.minimum)) return undefined;
  return `${library.name} ${version} is installed, and ${range(library)} is needed: ${remedy(library)}`;
}

function missing(library: OptionalLibrary<unknown>): string {
  return `${library.name} ${range(library)} is not installed: ${remedy(library)}`;
}

function range(library: OptionalLibrary<unknown>): string {
  return `^${library.minimum}`;
}

function remedy(library: OptionalLibrary<unknown>): string {
  return `run npm install ${library.name}@${range(library)}`;
}

function fits(version: string, minimum: string): boolean {
  return numbers(version)[0] === numbers(minimum)[0] && atLeast(version, minimum);
}

function atLeast(version: string, minimum: string): boolean {
  const have = numbers(version);
  const want = numbers(minimum);
  for (const [index, least] of want.entries()) {
    const part = have[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

function numbers(version: string): readonly number[] {
  return version.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10) || 0);
}

/** Reads package.json on the way Node resolves packages: an `exports` map can hide it from `resolve`. */
function readInstalledVersion(name: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    if (basename(folder) !== "node_modules") continue;
    const version = readVersion(join(folder, name, "package.json"));
    if (version !== undefined) return version;
  }
  return undefined;
}

function readVersion(file: string): string | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof found !== "object" || found === null || !("version" in found)) return undefined;
    return typeof found.version === "string" ? found.version : undefined;
  } catch {
    return undefined;
  }
}
