import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Transcript } from "./transcript.ts";

/** The session that the arguments name. */
export async function openTranscript(): Promise<Transcript> {
  const [resume, sessionId, cwd] = [argument("resume"), argument("session-id"), process.cwd()];
  if (resume === undefined) {
    if (sessionId !== undefined && Transcript.find(sessionId, cwd) !== undefined)
      await refuse(`Error: Session ID ${sessionId} is already in use.`);
    return Transcript.create(sessionId ?? randomUUID(), cwd);
  }
  const found = Transcript.find(resume, cwd);
  if (found === undefined) {
    const error = `No conversation found with session ID: ${resume}`;
    const result = { subtype: "error_during_execution", is_error: true, num_turns: 0, errors: [error] };
    return refuse(error, {
      type: "result",
      ...result,
      session_id: resume,
      uuid: randomUUID(),
      result_index: 0,
    });
  }
  return process.argv.includes("--fork-session") ? found.fork(sessionId ?? randomUUID()) : found;
}

/** Ends as the CLI does when it cannot begin: a line on stderr, at most a result, no word before. */
async function refuse(error: string, result?: object): Promise<never> {
  process.stderr.write(`${error}\n`);
  if (result !== undefined)
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(result)}\n`, resolve));
  process.exit(1);
}

/** How an MCP server is started. */
export interface StartedServer {
  readonly command: string;
  readonly args?: string[];
}

type McpServers = Readonly<Record<string, { readonly command: string; readonly args?: string[] }>>;

/** Read at the start: the host takes the file away once the CLI has answered. */
const configured: McpServers = readServers(argument("mcp-config"));

/** The MCP servers that the CLI is to start, by their names. */
export function mcpServers(): McpServers {
  return configured;
}

function readServers(path: string | undefined): McpServers {
  if (path === undefined) return {};
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly mcpServers: McpServers }).mcpServers;
}

/** The value of an argument written as `--name=value` or `--name value`. */
export function argument(name: string): string | undefined {
  const at = process.argv.findIndex((each) => each === `--${name}` || each.startsWith(`--${name}=`));
  if (at < 0) return undefined;
  const [, value] = process.argv[at]?.split(/=(.*)/su) ?? [];
  return value ?? process.argv[at + 1];
}
