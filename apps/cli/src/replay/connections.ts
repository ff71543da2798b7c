import { type NdjsonDecoder, type RawFrame, createNdjsonDecoder } from "@claxedo/agent-event-runtime";
import { readNote } from "./note.ts";
import type { RecordedLine } from "./recorded-line.ts";
import type { ReplayStep } from "./replay-step.ts";

/**
 * Tells a recording as connections: each begins with its first frame and ends with the process (`ended` when
 * that exited with 0, else `lost`), with the start of another, or with the recording. What is received goes
 * through the decoder that a driver would use, so that a broken line is a broken frame. Does no I/O.
 */
export class Connections {
  readonly #silenceMs: number | undefined;
  #decoders = new Map<string, NdjsonDecoder>();
  #open = false;
  #process = 0;
  #lastAt = 0;

  /** `silenceMs`: how long nothing passes before the driver of this dialect says so; it says nothing by default. */
  constructor(silenceMs?: number) {
    this.#silenceMs = silenceMs;
  }

  /** The steps that the next line of a recording tells. */
  recorded(recorded: RecordedLine): readonly ReplayStep[] {
    const { dir, t, p } = recorded;
    if (dir === "note") return p === undefined || p === this.#process ? this.#noted(recorded) : [];
    if (dir !== "send" && dir !== "recv") return [];
    const process = p ?? 0;
    const before = process === this.#process ? [] : this.#finish("lost", this.#lastAt);
    this.#process = process;
    return [...before, ...this.#frames(t, dir === "send" ? [sentFrame(recorded)] : this.#received(recorded))];
  }

  /** The steps that a received frame tells of which nothing else is known. */
  received(frame: RawFrame): readonly ReplayStep[] {
    return this.#frames(frame.at, [frame]);
  }

  /** The recording is over. What came last had the last word, however soon the recorder went. */
  end(): readonly ReplayStep[] {
    return this.#finish("ended", this.#lastAt + (this.#silenceMs ?? 0));
  }

  #noted({ line, t }: RecordedLine): readonly ReplayStep[] {
    const note = readNote(line);
    if (note === undefined) return [];
    return this.#finish(note.news === "exit" && note.clean ? "ended" : "lost", t);
  }

  #frames(at: number, frames: readonly RawFrame[]): readonly ReplayStep[] {
    const begin: readonly ReplayStep[] = this.#open ? this.#silence(at) : [{ do: "begin", at }];
    this.#open = true;
    this.#lastAt = at;
    return [...begin, ...frames.map((frame) => ({ do: "frame", frame }) as const)];
  }

  #finish(reason: "ended" | "lost", at: number): readonly ReplayStep[] {
    if (!this.#open) return [];
    const before = this.#silence(at);
    this.#open = false;
    this.#decoders = new Map();
    return [...before, { do: "finish", reason, at }];
  }

  #silence(until: number): readonly ReplayStep[] {
    const forMs = this.#silenceMs;
    if (forMs === undefined || until - this.#lastAt < forMs) return [];
    return [{ do: "frame", frame: { kind: "quiet", forMs, at: this.#lastAt + forMs } }];
  }

  #received({ line, t, ch }: RecordedLine): readonly RawFrame[] {
    if (typeof line !== "string") return [{ dir: "received", channel: ch, payload: line, at: t }];
    const decoder = this.#decoders.get(ch) ?? createNdjsonDecoder();
    this.#decoders.set(ch, decoder);
    const found = decoder.push(encoder.encode(`${line}\n`), t);
    return found.map((frame) => ("kind" in frame ? frame : { ...frame, channel: ch }));
  }
}

const encoder = new TextEncoder();

/** What a host wrote need not be JSON: somebody may have tried what the harness makes of it. */
function sentFrame({ line, t, ch }: RecordedLine): RawFrame {
  return { dir: "sent", channel: ch, payload: typeof line === "string" ? parsed(line) : line, at: t };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
