import type { Effort } from "./conformance-case.ts";

/** Turns the bytes of one stream into frames, however they are cut. */
export interface FrameDecoder {
  /** Takes the next bytes, keeping no reference to them. */
  push(chunk: Uint8Array, at: number): readonly unknown[];
  /** The stream is over. */
  end(at: number): readonly unknown[];
}

/** A framing with what is needed to put it to the test. */
export interface FramingSubject {
  /** Makes the decoder of one stream. */
  readonly decoder: (options?: { readonly maxLineBytes: number }) => FrameDecoder;
  /** What programs really wrote. */
  readonly streams: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Parts that not every framing has; cases for the others are left out. */
  readonly supports?: FramingSupports;
  readonly effort?: Effort;
}

/** The optional parts of a framing. */
export interface FramingSupports {
  /** A frame is a line with one JSON value, as `payload`; a line that is none is `{ kind: "broken", bytes }`. */
  readonly lines?: boolean;
}

/** Decodes a stream that comes in these chunks. */
export function decoded(decoder: FrameDecoder, chunks: readonly Uint8Array[]): readonly unknown[] {
  return [...chunks.flatMap((chunk) => decoder.push(chunk, 7)), ...decoder.end(7)];
}
