// Stands in for the claude program: answers the first request, then everything that is said with so many deltas and a
// result. The number of lines is in the environment: the arguments are a session's.
import { createInterface } from "node:readline";

const deltas = Number(process.env["CLAXEDO_BENCH_LINES"]);
const session_id = "00000000-0000-4000-8000-000000000000";
const delta = { type: "text_delta", text: "some words of an answer " };
const event = { type: "content_block_delta", index: 0, delta };
const line = `${JSON.stringify({ type: "stream_event", event, session_id, parent_tool_use_id: null })}\n`;
const result = { type: "result", subtype: "success", is_error: false, result: "done", session_id };

for await (const text of createInterface({ input: process.stdin })) {
  const { type, request, request_id } = JSON.parse(text);
  if (type === "user") {
    for (let written = 0; written < deltas; written += 1000)
      await write(line.repeat(Math.min(1000, deltas - written)));
    await write(`${JSON.stringify(result)}\n`);
  } else if (type === "control_request") {
    const response = { subtype: "success", request_id, response: {} };
    await write(`${JSON.stringify({ type: "control_response", response })}\n`);
    if (request.subtype === "end_session") process.exit(0);
  }
}

/** @param {string} text @returns {Promise<unknown>} */
function write(text) {
  return new Promise((resolve) => process.stdout.write(text, resolve));
}
