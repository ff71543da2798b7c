// A CLI from before `command_lifecycle`.
import { serve } from "../fake-cli.ts";

await serve((turn) => turn.answer(turn.text), { fates: false });
