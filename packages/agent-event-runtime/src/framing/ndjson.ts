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

// Browsers, workers and Node have it; the language's own library does not know it.
declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly fatal: boolean; readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const LF = 0x0a;
const CR = 0x0d;
const EXCERPT_BYTES = 1024;
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
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
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

/** The bytes of the line under way: the first `limit` are kept, all are counted. */
interface Line {
  /** `keep`: the caller's buffer may change before the line is read, so copy. */
  add(bytes: Uint8Array, keep: boolean): void;
  bytes(): Uint8Array;
  length(): number;
  clear(): void;
}

function createLine(limit: number): Line {
  let pieces: Uint8Array[] = [];
  let kept = 0;
  let total = 0;
  return {
    add(bytes, keep) {
      total += bytes.length;
      const room = bytes.subarray(0, limit - kept);
      if (room.length === 0) return;
      kept += room.length;
      pieces.push(keep ? room.slice() : room);
    },
    bytes: () => (pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : joined(pieces, kept)),
    length: () => total,
    clear() {
      pieces = [];
      kept = 0;
      total = 0;
    },
  };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
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

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

function excerpt(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}
