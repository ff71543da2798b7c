// What nobody waits for: answers, withdrawals, kinds that nobody knows, and lines that are none.
import { serve } from "../fake-cli.ts";

await serve((turn) => {
  turn.cli.emit({ type: "control_response", response: { subtype: "success", request_id: "nobody" } });
  turn.cli.emit({ type: "control_response" });
  turn.cli.emit({ type: "control_cancel_request", request_id: "nobody" });
  turn.cli.emit({ type: "no_such_kind", detail: { constructor: 1, __proto__: null } });
  for (const line of ["{", "[]", "null", "42", '"text"', "{}", '{"type":7}', "\u0000"])
    turn.cli.write(`${line}\n`);
  turn.cli.write(Buffer.from([0xff, 0xfe, 0x0a]));
  turn.answer("still here");
});
