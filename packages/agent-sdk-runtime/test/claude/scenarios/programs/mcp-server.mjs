// An MCP server on stdio.
import { createInterface } from "node:readline";
import { answerMcp } from "./mcp-echo.ts";

createInterface({ input: process.stdin }).on("line", (line) => {
  const answer = answerMcp(JSON.parse(line));
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
