// Ends well, in the middle of a turn.
import { serve } from "../fake-cli.ts";

await serve((turn) => turn.cli.exit(0));
