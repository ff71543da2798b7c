/** How much is kept of what cannot be read, for whoever looks into it. */
export const EXCERPT_BYTES = 1024;

/** The bytes of the line under way: the first `limit` are kept, all are counted. */
export interface Line {
  /** `keep`: the caller's buffer may change before the line is read, so copy. */
  add(bytes: Uint8Array, keep: boolean): void;
  bytes(): Uint8Array;
  length(): number;
  clear(): void;
}

/** A line of which nothing has come. */
export function createLine(limit: number): Line {
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
