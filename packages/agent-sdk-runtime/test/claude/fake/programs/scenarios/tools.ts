import type { Turn } from "../../turn.ts";
import { playAgent } from "./agent.ts";
import type { ToolBlock } from "./directive.ts";
import { fileTools } from "./file-tools.ts";
import { hookRefusal } from "./hooks.ts";
import { callMcp } from "./mcp.ts";
import { mayAsk, needsAsk } from "./rules.ts";
import { talkTools } from "./talk-tools.ts";
import { failed, type Input, type Tool, text } from "./tool.ts";

/** A shell command, in the background where that is wanted. */
const bash: Tool = ({ input }) => {
  const command = text(input, "command");
  return command === "" ? failed("InputValidationError: command is missing") : { command };
};

const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["Bash", bash],
  ["Agent", playAgent],
  ["WebFetch", () => failed("Unable to verify if the domain is safe to fetch.")],
  ...fileTools,
  ...talkTools,
]);

/** Plays the call of a tool. */
export async function playTool(turn: Turn, { tool: name, input = {}, rawInput }: ToolBlock): Promise<void> {
  if (name === "Bash" && input["run_in_background"] === true)
    return void turn.background(text(input, "description"), text(input, "command"));
  const tool = rawInput === undefined ? toolOf(turn, name) : () => failed("InputValidationError");
  const refusal = await hookRefusal(turn, name, input);
  if (refusal !== undefined) return void (await turn.tool(name, input, failed(refusal)));
  const asks = tool !== undefined && needsAsk(turn.cli.permissionMode, name, input);
  if (asks && !mayAsk) return void (await turn.tool(name, input, failed("Permission was not granted.")));
  await turn.tool(name, input, {
    ask: asks && { description: input["description"] },
    decide: ({ updatedInput }, toolUseId) => {
      const used = (updatedInput ?? input) as Input;
      return tool?.({ turn, input: used, toolUseId }) ?? failed(`No such tool available: ${name}`);
    },
  });
}

function toolOf(turn: Turn, name: string): Tool | undefined {
  const [, server, tool] = /^mcp__(\w+)__(\w+)$/u.exec(name) ?? [];
  if (server === undefined || tool === undefined) return tools.get(name);
  return ({ input }) => ({ output: () => callMcp(turn.cli, server, tool, input) });
}
