// Writes so many lines of so many bytes, both from the prompt, before the result.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  const [lines, bytes] = turn.text.split(" ").map(Number);
  const filling = "x".repeat(bytes);
  for (let index = 0; index < lines; index++) {
    turn.cli.emit({ type: "flood", index, filling });
    if (index % 1000 === 0 || bytes > 10_000) await turn.cli.flushed();
  }
  turn.answer(`${lines}`);
});
