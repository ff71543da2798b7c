/**
 * SQLite stores UTF-8, which has no lone surrogates: two texts that differ in one would become equal.
 * Such texts (and those that begin with the mark) are stored as a mark and JSON, which escapes them.
 */
const mark = "\u0000";
const loneSurrogate = /\p{Surrogate}/u;

/** The text as stored in a column; equal texts, and only they, are stored equal. */
export function toColumn(text: string): string {
  return text.startsWith(mark) || loneSurrogate.test(text) ? mark + JSON.stringify(text) : text;
}

/** The text that was stored. */
export function fromColumn(stored: string): string {
  return stored.startsWith(mark) ? (JSON.parse(stored.slice(mark.length)) as string) : stored;
}
