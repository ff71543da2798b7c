// Closes its output at the first prompt and lives on, whatever it is told.
import { closeSync } from "node:fs";
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  await turn.cli.flushed();
  process.removeAllListeners("SIGTERM").on("SIGTERM", () => undefined);
  closeSync(1);
  await turn.forever();
});
