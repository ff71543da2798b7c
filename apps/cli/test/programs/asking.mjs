#!/usr/bin/env node
// A Claude Code that asks. Obeys the lines of its prompt, one word each:
//   hostile            asks to run a command full of what a terminal would obey
//   plan TEXT          asks to leave plan mode with that plan
//   several            asks two questions at once, of which the first takes several answers
//   withdraw FILE      asks for a permission, and takes that back once the file is there
//   talk TEXT          asks for a permission, and talks while it waits
//   wait FILE          runs a command that ends once the file is there
//   ask TOOL · say TEXT · args
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { serve } from "../../../../packages/agent-sdk-runtime/test/claude/fake/fake-cli.ts";

const HOSTILE = "ls\u001b]52;c;cHdu\u0007 \u001b[2J\u202egnp.exe \u009b31mred\r> y";

const words = {
  hostile: async (turn) => {
    const input = { command: HOSTILE, [HOSTILE]: HOSTILE };
    const { behavior } = await turn.tool("Bash", input, { ask: { description: HOSTILE }, output: "ran" });
    turn.say(behavior);
  },
  plan: async (turn, plan) => {
    const { behavior } = await turn.tool("ExitPlanMode", { plan }, { ask: { permission_suggestions: [] } });
    turn.say(behavior);
  },
  several: async (turn) => {
    const options = ["Red", "Green", "Blue"].map((label) => ({ label, description: `${label} paint` }));
    const questions = [
      { question: "Which colours?", header: "Colours", multiSelect: true, options },
      { question: "What name?", header: "Name", multiSelect: false, options: [] },
    ];
    const { behavior, updatedInput } = await turn.tool("AskUserQuestion", { questions }, { ask: true });
    turn.say(behavior === "allow" ? JSON.stringify(updatedInput.answers) : behavior);
  },
  withdraw: async (turn, file) => {
    const withdrawal = new AbortController();
    const request = {
      subtype: "can_use_tool",
      tool_name: "Bash",
      display_name: "Bash",
      input: { command: "ls" },
    };
    void turn.cli.request({ ...request, permission_suggestions: [] }, withdrawal.signal);
    while (!existsSync(file)) await turn.wait(delay(10));
    withdrawal.abort();
  },
  talk: async (turn, text) => {
    const asked = turn.ask({ tool_name: "Bash", input: { command: "ls" } });
    turn.say(text);
    turn.say((await asked).behavior);
  },
  wait: (turn, file) => {
    const command = `until [ -e ${file} ]; do sleep 0.05; done`;
    return turn.tool("Bash", { command }, { command });
  },
  ask: async (turn, name) => {
    const { behavior, output } = await turn.tool(name, { path: "a.txt" }, { ask: true, output: "done" });
    turn.say(`${behavior}: ${output}`);
  },
  say: (turn, text) => turn.say(text),
  args: (turn) => turn.say(process.argv.slice(2).join(" ")),
};

if (process.argv.includes("--version")) process.stdout.write("2.1.332 (Claude Code)\n");
else
  await serve(async (turn) => {
    for (const line of turn.text.split("\n")) {
      const [word, ...rest] = line.split(" ");
      if (Object.hasOwn(words, word)) await words[word](turn, rest.join(" "));
    }
  });
