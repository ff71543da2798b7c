// Runs its prompt as a tool, and does not end while that runs: neither when asked nor at SIGTERM.
import { startCommand } from "../command.ts";
import { serve } from "../fake-cli.ts";

await serve(
  async (turn) => {
    process.removeAllListeners("SIGTERM").on("SIGTERM", () => undefined);
    await startCommand(turn.text).done;
    await new Promise(() => setInterval(() => undefined, 60_000));
  },
  { silent: ["end_session"] },
);
