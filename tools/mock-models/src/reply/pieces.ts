const CHUNK = 32;
const MOST_PIECES = 1000;

/**
 * A text in pieces of about `size` characters (UTF-16 code units), one at least. A pair of surrogates is not cut: its piece is one longer.
 */
export function* pieces(text: string, size: number = defaultSize(text)): Generator<string> {
  let start = 0;
  do {
    let end = Math.min(start + size, text.length);
    if ((text.codePointAt(end - 1) ?? 0) > 0xffff) end += 1;
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}

function defaultSize(text: string): number {
  return Math.max(CHUNK, Math.ceil(text.length / MOST_PIECES));
}
