// Asks before its one tool, and says what became of that.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  const { behavior, output } = await turn.tool(
    "Bash",
    { command: "echo done" },
    { ask: true, command: "echo done" },
  );
  turn.answer(`${behavior}: ${output}`);
});
