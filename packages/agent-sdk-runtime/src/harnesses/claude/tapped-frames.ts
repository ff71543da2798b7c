import { FrameQueue } from "../../harness/frame-queue.ts";
import type { SentLine } from "../../live/input.ts";
import type { Tap } from "../../live/options.ts";
import { frameSize } from "./frame-size.ts";

/**
 * The frames of a session for the host to read: all that pass the tap, but for the lines that the host has
 * committed before it wrote them. While nobody reads, the tap waits, and the wire with it.
 */
export class TappedFrames {
  readonly queue: FrameQueue = new FrameQueue();
  readonly #committed = new WeakSet<object>();

  /** A line that the host commits before it writes it. */
  commit(line: SentLine): void {
    this.#committed.add(line);
  }

  /** Whether a payload is such a line. */
  isCommitted(payload: unknown): payload is SentLine {
    return typeof payload === "object" && payload !== null && this.#committed.has(payload);
  }

  readonly tap: Tap = async (frame) => {
    if ("payload" in frame && this.isCommitted(frame.payload)) return;
    this.queue.push(frame, frameSize(frame));
    await this.queue.room();
  };
}
