// Begins to speak and comes to no end.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  await turn.stream("I am at work, and I will be for a long time.", 2, 0);
  await turn.forever();
});
