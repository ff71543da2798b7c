// Keeps its model, whatever is asked.
import { serve } from "../../../claude/fake/fake-cli.ts";

await serve((turn) => turn.answer(turn.text), { refuses: { set_model: "This model is fixed." } });
