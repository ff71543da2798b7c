import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveSessionOptions } from "../options.ts";

/** A file for the CLI to read at its start, removed when it is disposed of. */
export interface McpConfig extends AsyncDisposable {
  readonly path: string;
}

/**
 * Writes down the MCP servers that the CLI is to start or to call; `undefined` without any. They may hold
 * keys, which a command line would show to everybody on the machine: the file is its owner's alone.
 */
export async function writeMcpConfig(
  servers: LiveSessionOptions["mcpServers"],
): Promise<McpConfig | undefined> {
  const mcpServers = Object.fromEntries(
    Object.entries(servers ?? {}).filter(([, { type }]) => type !== "sdk"),
  );
  if (Object.keys(mcpServers).length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "claxedo-mcp-"));
  const path = join(folder, "mcp.json");
  await writeFile(path, JSON.stringify({ mcpServers }), { mode: 0o600 });
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
