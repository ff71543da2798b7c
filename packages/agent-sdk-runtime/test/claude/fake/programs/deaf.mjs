// Answers `initialize`, then reads no more.
import { readLines } from "../fake-cli.ts";

for await (const line of readLines()) {
  const { request_id } = JSON.parse(line);
  const response = { subtype: "success", request_id, response: {} };
  process.stdout.write(`${JSON.stringify({ type: "control_response", response })}\n`);
  await new Promise(() => setInterval(() => undefined, 60_000));
}
