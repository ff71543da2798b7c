// Runs its prompt as a tool that it leaves behind when it ends.
import { startCommand } from "../command.ts";
import { serve } from "../fake-cli.ts";

await serve((turn) => {
  startCommand(turn.text);
  turn.answer("started");
});
