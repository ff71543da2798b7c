// Never names its session.
import { serve } from "../fake-cli.ts";

await serve((turn) => turn.answer("Who am I?"), { named: false });
