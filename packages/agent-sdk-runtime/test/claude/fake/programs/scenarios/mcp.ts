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
  const ask = started === undefined ? hosted(cli, server) : program(cli, server, started);
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

/** A request of the server's own, before its answer, is for the user. */
function program(cli: FakeCli, name: string, { command, args = [] }: StartedServer): Ask {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const write = (message: object): unknown =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return async (request) => {
    write(request);
    for (;;) {
      const [line] = (await once(lines, "line")) as [string];
      const said = JSON.parse(line) as ServerMessage;
      if (said.method === undefined) return said.result;
      write({ id: said.id, result: await elicit(cli, name, said.params) });
    }
  };
}

interface ServerMessage {
  readonly id: unknown;
  readonly method?: string;
  readonly params: { readonly message: string; readonly requestedSchema: object };
  readonly result: { readonly content: unknown };
}

async function elicit(cli: FakeCli, name: string, params: ServerMessage["params"]): Promise<unknown> {
  const { message, requestedSchema: requested_schema } = params;
  const asked = { mcp_server_name: name, message, mode: "form", requested_schema };
  const answer = await cli.request({ subtype: "elicitation", ...asked });
  return (answer as { readonly response: unknown }).response;
}
