// Ends by a signal, in the middle of a turn.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  await turn.cli.flushed();
  process.kill(process.pid, "SIGKILL");
  await turn.forever();
});
