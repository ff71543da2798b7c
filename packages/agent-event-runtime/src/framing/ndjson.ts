import { EXCERPT_BYTES, createLine } from "./line.ts";
import { decoded, excerpt, hasMark } from "./utf8.ts";

/** One line that is a JSON value. Fits wherever translation wants a frame. */
export interface NdjsonFrame {
  readonly dir: "received";
  readonly channel: "";
  readonly payload: unknown;
  /** As handed to `push` or `end`. */
  readonly at: number;
}

/** One line that is none: not UTF-8, not JSON, or too long. Fits wherever translation wants a frame. */
export interface NdjsonFault {
  readonly kind: "broken";
  /** The beginning of the line, at most 1 KiB of it. */
  readonly text: string;
  /** The length of the whole line, without its line end. */
  readonly bytes: number;
  readonly reason: "not UTF-8" | "not JSON" | "too long";
  readonly at: number;
}

/** How a decoder of newline-delimited JSON behaves. */
export interface NdjsonOptions {
  /** The longest line that is read, in bytes without its line end; a longer one is skipped and reported. 64 MiB by default. */
  readonly maxLineBytes?: number;
}

/**
 * Turns the bytes of a stream into frames, however they are cut: lines end at LF (a CR before it goes
 * too), a byte order mark at the start of the stream is dropped, blank lines are nothing. Never throws;
 * work is linear in bytes, memory is one line.
 */
export interface NdjsonDecoder {
  /** Takes the next bytes, keeping no reference to them, and answers the lines that they complete. */
  push(chunk: Uint8Array, at: number): readonly (NdjsonFrame | NdjsonFault)[];
  /** The stream is over: answers what the last line held if no line end came after it. */
  end(at: number): readonly (NdjsonFrame | NdjsonFault)[];
}

const LF = 0x0a;
const CR = 0x0d;
const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Makes a decoder for one stream. */
export function createNdjsonDecoder(options: NdjsonOptions = {}): NdjsonDecoder {
  const max = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  // One byte more than the cap, since the last may turn out to be a CR.
  const line = createLine(Math.max(max + 1, EXCERPT_BYTES));
  let first = true;

  const take = (at: number): readonly (NdjsonFrame | NdjsonFault)[] => {
    const found = read(line.bytes(), line.length(), max, first, at);
    first = false;
    line.clear();
    return found === undefined ? [] : [found];
  };

  return {
    push(chunk, at) {
      const frames: (NdjsonFrame | NdjsonFault)[] = [];
      let start = 0;
      // Once a chunk: where one line is broken, the lines are read one by one.
      let whole = chunk.length <= max;
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
        if (whole && !first && line.length() === 0) {
          whole = false;
          const last = chunk.lastIndexOf(LF);
          const sound = soundLines(chunk.subarray(start, last), at);
          if (sound !== undefined) {
            frames.push(...sound);
            start = last + 1;
            break;
          }
        }
        line.add(chunk.subarray(start, end), false);
        frames.push(...take(at));
        start = end + 1;
      }
      line.add(chunk.subarray(start), true);
      return frames;
    },
    end: (at) => (line.length() === 0 ? [] : take(at)),
  };
}

/** The value of one line, or its fault; `undefined` for a blank one. `total` may exceed the bytes kept. */
function read(
  kept: Uint8Array,
  total: number,
  max: number,
  first: boolean,
  at: number,
): NdjsonFrame | NdjsonFault | undefined {
  const whole = kept.length === total;
  const bytes = whole && kept.at(-1) === CR ? total - 1 : total;
  const fault = (reason: NdjsonFault["reason"]): NdjsonFault => ({
    kind: "broken",
    text: excerpt(kept.subarray(0, Math.min(bytes, EXCERPT_BYTES))),
    bytes,
    reason,
    at,
  });
  if (bytes > max) return fault("too long");
  const content = kept.subarray(first && hasMark(kept) ? 3 : 0, bytes);
  const text = decoded(content);
  if (text === undefined) return fault("not UTF-8");
  if (text.trim() === "") return undefined;
  try {
    return { dir: "received", channel: "", payload: JSON.parse(text), at };
  } catch {
    return fault("not JSON");
  }
}

/** Whole lines decoded at once, which is cheaper than one by one; `undefined` when one of them is not JSON. */
function soundLines(bytes: Uint8Array, at: number): readonly NdjsonFrame[] | undefined {
  const text = decoded(bytes);
  if (text === undefined) return undefined;
  const frames: NdjsonFrame[] = [];
  for (const content of text.split("\n")) {
    try {
      frames.push({ dir: "received", channel: "", payload: JSON.parse(content), at });
    } catch {
      if (content.trim() !== "") return undefined;
    }
  }
  return frames;
}
