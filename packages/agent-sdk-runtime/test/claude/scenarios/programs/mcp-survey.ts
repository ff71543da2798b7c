import { field, textField } from "../../../../src/live/messages.ts";
import { answerMcp } from "./mcp-echo.ts";

const requestedSchema = {
  type: "object",
  properties: {
    colour: { type: "string", title: "Colour", enum: ["r", "b"], enumNames: ["Red", "Blue"] },
    gift: { type: "boolean", description: "Whether it is wrapped" },
    count: { type: "integer", minimum: 1 },
    note: { type: "string" },
  },
  required: ["colour", "gift", "count"],
};

const CALL = "survey of ";

/**
 * What an MCP server says to a JSON-RPC message that asks the user to fill in a form before its tool gives what was
 * said; `undefined` to a notification.
 */
export function surveyMcp(message: unknown): unknown {
  const [id, method] = [field(message, "id"), textField(message, "method")];
  if (method === "tools/call") {
    const params = { message: "What shall it be?", requestedSchema };
    return { jsonrpc: "2.0", id: `${CALL}${String(id)}`, method: "elicitation/create", params };
  }
  if (typeof id === "string" && id.startsWith(CALL)) {
    const result = { content: [{ type: "text", text: JSON.stringify(field(message, "result")) }] };
    return { jsonrpc: "2.0", id: Number(id.slice(CALL.length)), result };
  }
  return answerMcp(message);
}
