import { serve } from "../fake-cli.ts";

await serve((turn) => turn.answer(`You said: ${turn.text}`));
