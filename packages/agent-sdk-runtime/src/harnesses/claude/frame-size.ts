import type { RawFrame } from "@claxedo/agent-event-runtime";

/** What a number or a field counts, whatever its length. */
const SMALL = 8;

/** About how many bytes a frame holds: the length of its texts, and a little for everything else. */
export function frameSize(frame: RawFrame): number {
  if (!("payload" in frame)) return SMALL + ("text" in frame ? frame.text.length : 0);
  let size = 0;
  const rest: unknown[] = [frame.payload];
  while (rest.length > 0) {
    const value = rest.pop();
    size += typeof value === "string" ? value.length : SMALL;
    if (typeof value === "object" && value !== null) for (const item of Object.values(value)) rest.push(item);
  }
  return size;
}
