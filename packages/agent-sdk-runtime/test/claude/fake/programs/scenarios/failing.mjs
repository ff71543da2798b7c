// As `follow`, but without a login it gets nowhere, and with an address of its own for the API neither.
import { serve } from "../../fake-cli.ts";
import { ApiCalls } from "./api-calls.ts";
import { Follower } from "./follower.ts";

const follower = new Follower();
await serve(async (turn) => {
  if (process.env["ANTHROPIC_API_KEY"] === undefined) return turn.fail("Not logged in · Please run /login");
  if (process.env["ANTHROPIC_BASE_URL"] === undefined) return follower.play(turn);
  await new ApiCalls(turn).retries(undefined);
  turn.fail("API Error: Unable to connect to API (ConnectionRefused)");
});
