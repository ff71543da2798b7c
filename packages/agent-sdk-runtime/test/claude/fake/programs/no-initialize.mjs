// Never answers `initialize`.
import { serve } from "../fake-cli.ts";

await serve((turn) => turn.answer("never"), { silent: ["initialize"] });
