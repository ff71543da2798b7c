// Obeys the lines of its prompt, one word each:
//   answer TEXT        says it
//   stream TEXT        says it in pieces
//   work               is at work until it is stopped
//   slow-tool COMMAND  runs a shell command, in a session of its own
//   ask TOOL           asks before a tool, and says whether it was allowed
//   question TEXT      asks the user a question with two choices, and says the answer
//   plan TEXT          asks to leave plan mode with that plan
//   background COMMAND runs a shell command in the background
//   fail TEXT          ends with an error of the API
//   garbage            writes a line that is no JSON
//   die                ends without a word
//   env NAME           says a variable of its environment; `args` its arguments, `pid` its process id
import { serve } from "../fake-cli.ts";

const WORDS = {
  answer: (turn, text) => turn.say(text),
  stream: (turn, text) => turn.stream(text),
  work: (turn) => turn.stream("At work.", 2, 0).then(() => turn.forever()),
  "slow-tool": async (turn, command) => {
    const { output } = await turn.tool("Bash", { command, description: "A command" }, { command });
    turn.say(output);
  },
  ask: async (turn, name) => {
    const input = { file_path: "notes.txt", content: "x" };
    const { behavior, output } = await turn.tool(name || "Write", input, { ask: true, output: "written" });
    turn.say(`${behavior}: ${output}`);
  },
  question: async (turn, question) => {
    const options = [
      { label: "Red", description: "Warm" },
      { label: "Blue", description: "Cold" },
    ];
    const input = { questions: [{ question, header: "Choice", multiSelect: false, options }] };
    const script = { ask: { requires_user_interaction: true }, output: "answered" };
    const { behavior, updatedInput } = await turn.tool("AskUserQuestion", input, script);
    turn.say(behavior === "allow" ? `You chose ${updatedInput?.answers?.[question]}.` : "No answer.");
  },
  plan: async (turn, plan) => {
    const { behavior } = await turn.tool(
      "ExitPlanMode",
      { plan },
      { ask: { requires_user_interaction: true } },
    );
    turn.say(behavior === "allow" ? "The plan is on." : "The plan is off.");
  },
  background: (turn, command) => void turn.background("A command", command),
  fail: (turn, text) => turn.fail(`API Error: 400 ${text}`),
  garbage: (turn) => turn.cli.write("this is no JSON\n"),
  die: async (turn) => {
    await turn.cli.flushed();
    process.exit(3);
  },
  env: (turn, name) => turn.say(String(process.env[name])),
  args: (turn) => turn.say(JSON.stringify(process.argv.slice(2))),
  pid: (turn) => turn.say(String(process.pid)),
};

await serve(async (turn) => {
  for (const line of turn.words.split("\n")) {
    const [word, ...rest] = line.split(" ");
    const act =
      turn.notice === undefined && Object.hasOwn(WORDS, word) ? WORDS[word] : (each) => each.say(line);
    await act(turn, rest.join(" "));
    if (word === "fail") return;
  }
});
