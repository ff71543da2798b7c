import { type RawFrame, createNdjsonDecoder } from "@claxedo/agent-event-runtime";
import type { Connections } from "./connections.ts";
import { recordedLine } from "./recorded-line.ts";
import type { ReplayStep } from "./replay-step.ts";

/** How many lines may come before the first that is a JSON object. */
const LINES_IN_DOUBT = 1_000;

/**
 * Reads a file as it comes, in either form: a recording with both directions, or the lines that a harness
 * wrote, one JSON object each. The first line that is a JSON object decides which. Does no I/O.
 */
export class RecordingReader {
  readonly #connections: Connections;
  readonly #decoder = createNdjsonDecoder();
  #form: "recording" | "received" | undefined;
  #doubtful: RawFrame[] = [];
  #unreadable = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Lines of a recording that are not of its form, such as a last line that was cut off. They are skipped. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The steps that the next bytes of the file tell. Throws NotARecording. */
  push(chunk: Uint8Array): readonly ReplayStep[] {
    return this.#take(this.#decoder.push(chunk, 0));
  }

  /** The steps at the end of the file. Throws NotARecording. */
  end(): readonly ReplayStep[] {
    const rest = this.#take(this.#decoder.end(0));
    if (this.#doubtful.length > 0) throw new NotARecording();
    return [...rest, ...this.#connections.end()];
  }

  #take(found: readonly RawFrame[]): readonly ReplayStep[] {
    return found.flatMap((frame) => (this.#form === undefined ? this.#decide(frame) : this.#steps(frame)));
  }

  #decide(frame: RawFrame): readonly ReplayStep[] {
    this.#doubtful.push(frame);
    const value = payloadOf(frame);
    if (typeof value !== "object" || value === null) {
      if (this.#doubtful.length > LINES_IN_DOUBT) throw new NotARecording();
      return [];
    }
    this.#form = recordedLine(value) === undefined ? "received" : "recording";
    const certain = this.#doubtful;
    this.#doubtful = [];
    return certain.flatMap((one) => this.#steps(one));
  }

  #steps(frame: RawFrame): readonly ReplayStep[] {
    if (this.#form === "received") return this.#connections.received(frame);
    const line = recordedLine(payloadOf(frame));
    if (line !== undefined) return this.#connections.recorded(line);
    this.#unreadable += 1;
    return [];
  }
}

/** The file holds neither a recording nor lines of JSON. */
export class NotARecording extends Error {
  constructor() {
    super("no line of it is a JSON object");
    this.name = "NotARecording";
  }
}

function payloadOf(frame: RawFrame): unknown {
  return frame.kind === undefined ? frame.payload : undefined;
}
