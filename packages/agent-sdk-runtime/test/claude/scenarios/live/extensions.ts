import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { field, textField } from "../../../../src/live/messages.ts";
import type { Scenario } from "../scenario.ts";
import { answerMcp } from "../programs/mcp-echo.ts";
import { allowed } from "../stage.ts";
import { touch } from "../steps.ts";
import { toolResults } from "../wire.ts";

/** A server that the CLI starts. */
export const mcpServer = {
  command: process.execPath,
  args: ["--no-warnings", fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url))],
};

const steps = [[{ tool: "mcp__echo__echo", input: { text: "hello" } }], "Echoed."] as const;
const echoed = [{ type: "tool_result", content: [{ type: "text", text: "Echo: hello" }] }];

export const extensions: readonly Scenario[] = [
  {
    title: "uses a tool of an MCP server that it starts",
    async run(stage) {
      const talk = await stage.live({ canUseTool: allowed, mcpServers: { echo: mcpServer } });
      const { result } = await talk.session.sendAndAwait(stage.prompt("Echo.", steps));
      expect(result).toBe("Echoed.");
      expect(toolResults(talk.received)).toMatchObject(echoed);
      expect(JSON.stringify(await talk.session.mcpStatus())).toContain('"connected"');
    },
  },
  {
    title: "uses a tool of the host's own process",
    async run(stage) {
      const asked: unknown[] = [];
      const onMessage = (message: unknown): unknown => {
        asked.push(field(message, "method"));
        return answerMcp(message);
      };
      const talk = await stage.live({
        canUseTool: allowed,
        mcpServers: { echo: { type: "sdk", onMessage } },
      });
      const { result } = await talk.session.sendAndAwait(stage.prompt("Echo.", steps));
      expect(result).toBe("Echoed.");
      expect(toolResults(talk.received)).toMatchObject(echoed);
      expect(asked).toEqual(expect.arrayContaining(["initialize", "tools/list", "tools/call"]) as unknown);
    },
  },
  {
    title: "calls hooks, which can refuse a tool",
    async run(stage) {
      const seen: unknown[] = [];
      const callback = (input: unknown): object => {
        seen.push(field(field(input, "tool_input"), "command"));
        const permissionDecisionReason = "The hook says no.";
        return {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason,
          },
        };
      };
      const hooks = { PreToolUse: [{ matcher: "Bash", callback }] };
      const talk = await stage.live({ canUseTool: allowed, hooks });
      await talk.session.sendAndAwait(stage.prompt("Make it.", [[touch("made.txt")], "Then not."]));
      expect(seen).toEqual(["touch made.txt"]);
      const [result] = toolResults(talk.received);
      expect(textField(result, "content")).toContain("The hook says no.");
      expect(stage.has("made.txt")).toBe(false);
    },
  },
];
