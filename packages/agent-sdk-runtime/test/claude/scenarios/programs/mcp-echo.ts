import { field, textField } from "../../../../src/live/messages.ts";

/** What an MCP server with the one tool `echo` answers to a JSON-RPC message; `undefined` to a notification. */
export function answerMcp(message: unknown): unknown {
  const id = field(message, "id");
  if (id === undefined) return undefined;
  const result = resultOf(textField(message, "method"), field(message, "params"));
  return { jsonrpc: "2.0", id, result };
}

function resultOf(method: string | undefined, params: unknown): object {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: field(params, "protocolVersion"),
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [echo] };
    case "tools/call":
      return { content: [{ type: "text", text: `Echo: ${textField(field(params, "arguments"), "text")}` }] };
    default:
      return {};
  }
}

const echo = {
  name: "echo",
  description: "Says what it is told.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
