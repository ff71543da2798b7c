// A result without its fields, and one with fields of wrong types.
import { serve } from "../fake-cli.ts";

await serve((turn) => {
  turn.cli.emit({ type: "result" });
  turn.cli.emit({ type: "result", subtype: 7, user_message_uuids: { length: 1 }, errors: "x", result: 3 });
  turn.end({ result: "whole" });
});
