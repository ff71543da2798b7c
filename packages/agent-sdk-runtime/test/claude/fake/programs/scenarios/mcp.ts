import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { mcpServers, type StartedServer } from "../../arguments.ts";
import type { FakeCli } from "../../fake-cli.ts";
import type { ToolGiven } from "../../turn.ts";
import type { Input } from "./tool.ts";

/** Sends a JSON-RPC request to a server, and gives its result. */
type Ask = (request: object) => Promise<{ readonly content: unknown }>;

/** Calls a tool of an MCP server: one that the CLI starts, or one of its host. */
export async function callMcp(cli: FakeCli, server: string, tool: string, input: Input): Promise<ToolGiven> {
  const started = mcpServers()[server];
  const ask = started === undefined ? hosted(cli, server) : program(started);
  await ask({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {} } });
  await ask({ id: 2, method: "tools/list" });
  const { content } = await ask({ id: 3, method: "tools/call", params: { name: tool, arguments: input } });
  return { content, result: content };
}

interface HostedAnswer {
  readonly response: { readonly mcp_response: { readonly result: { readonly content: unknown } } };
}

function hosted(cli: FakeCli, name: string): Ask {
  return async (request) => {
    const message = { jsonrpc: "2.0", ...request };
    const answer = await cli.request({ subtype: "mcp_message", server_name: name, message });
    return (answer as HostedAnswer).response.mcp_response.result;
  };
}

function program({ command, args = [] }: StartedServer): Ask {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  return async (request) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
    const [line] = (await once(lines, "line")) as [string];
    return (JSON.parse(line) as { readonly result: { readonly content: unknown } }).result;
  };
}
