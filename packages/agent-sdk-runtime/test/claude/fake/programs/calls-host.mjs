// Sends the host the request that the prompt holds, and says what it answered.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  const response = await turn.wait(turn.cli.request(JSON.parse(turn.text), turn.signal));
  turn.answer(JSON.stringify(response));
});
