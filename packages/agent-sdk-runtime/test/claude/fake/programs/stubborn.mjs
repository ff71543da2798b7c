// Does not end: neither when asked, nor at the end of input, nor at SIGTERM.
import { serve } from "../fake-cli.ts";

await serve(
  async (turn) => {
    process.removeAllListeners("SIGTERM").on("SIGTERM", () => undefined);
    turn.say(String(process.pid));
    turn.end();
    await new Promise(() => setInterval(() => undefined, 60_000));
  },
  { silent: ["end_session"] },
);
