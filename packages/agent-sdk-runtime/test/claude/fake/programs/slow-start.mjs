// Reads nothing for a moment, then works.
import { setTimeout as delay } from "node:timers/promises";
import { serve } from "../fake-cli.ts";

await delay(700);
await serve((turn) => turn.answer(`You said: ${turn.text}`));
