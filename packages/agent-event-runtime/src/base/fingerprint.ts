/**
 * A short mark of a text: equal texts have equal marks, and different ones practically never do.
 * For reducer state that must recognise a text without carrying it. Not for secrets.
 */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x5bd1e995;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high + unit, 0x85ebca6b) ^ (high >>> 15);
  }
  return `${text.length}.${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
