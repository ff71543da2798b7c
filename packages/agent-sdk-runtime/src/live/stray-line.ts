import type { BrokenFrame, RawFrame } from "@claxedo/agent-event-runtime";
import type { UnparsedLine } from "./messages.ts";

const KEPT_CHARS = 1024;

/** A line that is no message: not JSON, or JSON without a type. */
export function readStrayLine(frame: RawFrame): UnparsedLine {
  if ("payload" in frame) {
    const text = JSON.stringify(frame.payload);
    const bytes = Buffer.byteLength(text);
    return { type: "unparsed_line", text: text.slice(0, KEPT_CHARS), bytes, reason: "no message" };
  }
  const { text = "", bytes = 0, reason = "no line" } = frame as Partial<BrokenFrame>;
  return { type: "unparsed_line", text, bytes, reason };
}
