// Writes so many lines of so many bytes, both from the prompt, and notes in a file how many were taken.
import { writeFileSync } from "node:fs";
import { serve } from "../../../claude/fake/fake-cli.ts";

await serve(async (turn) => {
  const [lines, bytes] = turn.text.split(" ").map(Number);
  const filling = "x".repeat(bytes);
  for (let index = 1; index <= lines; index += 1) {
    turn.cli.emit({ type: "keep_alive", filling });
    await turn.cli.flushed();
    writeFileSync("written", String(index));
  }
  turn.answer("done");
});
