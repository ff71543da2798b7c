// A CLI from before `command_lifecycle`, which takes what comes while it talks into its answer.
import { serve } from "../../../claude/fake/fake-cli.ts";

await serve(
  async (turn) => {
    if (turn.text !== "wait") return;
    turn.say("Go on.");
    let more = [];
    while (more.length === 0) {
      await turn.pause(20);
      more = turn.cli.fold();
    }
    turn.answer("Both done.");
  },
  { fates: false },
);
