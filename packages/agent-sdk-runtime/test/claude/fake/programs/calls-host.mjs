// Sends the host the request that the prompt holds, or all of a list at once, and says what it answered.
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  const requests = JSON.parse(turn.text);
  const ask = (request) => turn.wait(turn.cli.request(request, turn.signal));
  turn.answer(
    JSON.stringify(Array.isArray(requests) ? await Promise.all(requests.map(ask)) : await ask(requests)),
  );
});
