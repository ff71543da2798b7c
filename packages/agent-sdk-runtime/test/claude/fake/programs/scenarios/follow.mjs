// Does what the directives in its prompts say.
import { serve } from "../../fake-cli.ts";
import { Follower } from "./follower.ts";

const follower = new Follower();
await serve((turn) => follower.play(turn));
