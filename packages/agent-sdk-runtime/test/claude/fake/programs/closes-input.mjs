// Answers `initialize`, then closes its input and lives on.
import { closeSync } from "node:fs";
import { readLines } from "../fake-cli.ts";

const lines = readLines();
const { request_id } = JSON.parse((await lines.next()).value);
const response = { subtype: "success", request_id, response: {} };
process.stdout.write(`${JSON.stringify({ type: "control_response", response })}\n`);
process.stdin.destroy();
// Node leaves it open.
closeSync(0);
setInterval(() => undefined, 60_000);
