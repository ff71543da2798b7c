import { EXCERPT_BYTES, createLine } from "./line.ts";
import { excerpt, hasMark } from "./utf8.ts";

/** One event of a stream of server-sent events. */
export interface SseEvent {
  /** Its name; `message` unless the server gives one. */
  readonly event: string;
  /** Its lines of data, joined by LF. */
  readonly data: string;
  /** The last id that the server has given, by this event or an earlier one; `""` when it gave none. */
  readonly id: string;
  /** As handed to `push`. */
  readonly at: number;
}

/** An event that is longer than the cap. Fits wherever translation wants a frame. */
export interface SseFault {
  readonly kind: "broken";
  /** Its beginning, at most 1 KiB. */
  readonly text: string;
  /** The length of all its lines, without line ends and comments. */
  readonly bytes: number;
  readonly reason: "too long";
  readonly at: number;
}

/** How a decoder of server-sent events behaves. */
export interface SseOptions {
  /**
   * The longest event that is read, in bytes of its lines; a longer one is skipped and reported. 64 MiB
   * by default.
   */
  readonly maxEventBytes?: number;
}

/**
 * Turns the bytes of a `text/event-stream` (WHATWG HTML, "Server-sent events") into events, however they
 * are cut: lines end at LF, CR or both, a byte order mark at the start is dropped, comments and unknown
 * fields are nothing. Never throws; work is linear in bytes, memory is one event.
 */
export interface SseDecoder {
  /** Takes the next bytes, keeping no reference to them, and answers the events that they complete. */
  push(chunk: Uint8Array, at: number): readonly (SseEvent | SseFault)[];
  /** The stream is over. An event that no blank line has ended is none, so there is nothing to answer. */
  end(at: number): readonly (SseEvent | SseFault)[];
  /** What to send as `Last-Event-ID` when the stream is opened again; `""` when the server gave no id. */
  lastEventId(): string;
  /** How long the server wants a client to wait before that, in milliseconds, if it said so. */
  retryMs(): number | undefined;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const MARK_BYTES = 3;
const DEFAULT_MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Makes a decoder for one stream. */
export function createSseDecoder(options: SseOptions = {}): SseDecoder {
  const max = options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES;
  const line = createLine(Math.max(max, EXCERPT_BYTES) + MARK_BYTES);
  const block = createBlock(max);
  let first = true;
  let afterCr = false;

  const endLine = (at: number): readonly (SseEvent | SseFault)[] => {
    const bytes = line.bytes();
    const mark = first && hasMark(bytes) ? MARK_BYTES : 0;
    const length = line.length() - mark;
    first = false;
    line.clear();
    return length === 0 ? block.dispatch(at) : block.take(bytes.subarray(mark), length);
  };

  return {
    push(chunk, at) {
      const found: (SseEvent | SseFault)[] = [];
      // The LF of a CR LF whose CR was the end of the chunk before.
      let start = afterCr && chunk[0] === LF ? 1 : 0;
      if (chunk.length > 0) afterCr = false;
      let lf = chunk.indexOf(LF, start);
      let cr = chunk.indexOf(CR, start);
      while (lf >= 0 || cr >= 0) {
        const atCr = cr >= 0 && (lf < 0 || cr < lf);
        const end = atCr ? cr : lf;
        line.add(chunk.subarray(start, end), false);
        found.push(...endLine(at));
        start = end + 1;
        if (atCr && start === chunk.length) afterCr = true;
        if (atCr && chunk[start] === LF) start += 1;
        if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
        if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      }
      line.add(chunk.subarray(start), true);
      return found;
    },
    end: () => [],
    lastEventId: () => block.lastEventId(),
    retryMs: () => block.retryMs(),
  };
}

/** The lines of the event under way. */
interface Block {
  /** A line that is not blank; `length` may exceed the bytes that were kept of it. */
  take(kept: Uint8Array, length: number): readonly never[];
  /** A blank line: the event is over. */
  dispatch(at: number): readonly (SseEvent | SseFault)[];
  lastEventId(): string;
  retryMs(): number | undefined;
}

function createBlock(max: number): Block {
  let event = "";
  let data: string[] = [];
  let used = 0;
  let beginning = "";
  let id = "";
  let lastId = "";
  let retry: number | undefined;

  const field = (name: string, value: string): void => {
    if (name === "event") event = value;
    if (name === "data" && used <= max) data.push(value);
    if (name === "id" && !value.includes("\0")) id = value;
    if (name === "retry" && /^\d{1,15}$/.test(value)) retry = Number(value);
  };

  const clear = (): void => {
    event = "";
    data = [];
    used = 0;
    beginning = "";
  };

  return {
    take(kept, length) {
      if (kept[0] === COLON) return [];
      if (used === 0) beginning = excerpt(kept.subarray(0, EXCERPT_BYTES));
      used += length;
      if (used > max) data = [];
      if (length > kept.length) return [];
      const text = excerpt(kept);
      const colon = text.indexOf(":");
      if (colon < 0) field(text, "");
      else field(text.slice(0, colon), text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1));
      return [];
    },
    dispatch(at) {
      lastId = id;
      const found: SseEvent | SseFault | undefined =
        used > max
          ? { kind: "broken", text: beginning, bytes: used, reason: "too long", at }
          : data.length === 0
            ? undefined
            : { event: event === "" ? "message" : event, data: data.join("\n"), id, at };
      clear();
      return found === undefined ? [] : [found];
    },
    lastEventId: () => lastId,
    retryMs: () => retry,
  };
}
