// An MCP server on stdio: with the argument `survey` one that asks the user, else an echo.
import { createInterface } from "node:readline";
import { answerMcp } from "./mcp-echo.ts";
import { surveyMcp } from "./mcp-survey.ts";

const answer = process.argv[2] === "survey" ? surveyMcp : answerMcp;

createInterface({ input: process.stdin }).on("line", (line) => {
  const said = answer(JSON.parse(line));
  if (said !== undefined) process.stdout.write(`${JSON.stringify(said)}\n`);
});
