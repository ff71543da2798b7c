import { serve } from "../fake-cli.ts";

await serve((turn) => turn.answer("never"), { refuses: { initialize: "Not today." } });
