// Every result is the number that the prompt holds, so that a wrong one shows.
import { serve } from "../fake-cli.ts";

await serve((turn) => turn.end({ result: turn.text }));
