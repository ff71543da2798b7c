import type { CutBlock, DelayBlock, ErrorEventBlock, GateBlock, RawBlock } from "../script/model-step.ts";
import type { Act } from "./act.ts";

/** What is done for a block that is the same in every kind of reply. */
export function pauseAct(block: DelayBlock | GateBlock | CutBlock): Act {
  if ("delayMs" in block) return { kind: "wait", ms: block.delayMs };
  return "gate" in block ? { kind: "gate", name: block.gate } : { kind: "cut" };
}

/** The bytes of a raw block. */
export function rawBytes({ raw, encoding = "utf8" }: RawBlock): Uint8Array {
  return Buffer.from(raw, encoding);
}

/** The error of an `error` event. */
export function errorOf({ errorEvent }: ErrorEventBlock): {
  readonly type: string;
  readonly message: string;
} {
  return { type: "overloaded_error", message: "Overloaded", ...errorEvent };
}
