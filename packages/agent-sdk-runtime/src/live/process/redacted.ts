/** What looks like one. Repeats inside are bounded: without a bound they take the square of the text. */
const PATTERNS: readonly RegExp[] = [
  /\bsk-[\w-]{6,}/gu,
  /\b(?:Bearer|Basic)\s{1,4}[\w.~+/=-]{6,}/giu,
  /(?<=(?:api[_-]?key|token|secret|password)[\w-]{0,40}["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;]{4,}/giu,
  /(?<=:\/\/[^\s:/@]{1,100}:)[^\s@/]{1,500}(?=@)/gu,
];

/** Names of variables whose values are not for others to see. */
const SECRET_NAME = /key|token|secret|password|credential/iu;

/** Shorter values may be ordinary words. */
const SECRET_CHARS = 8;

/** The values in an environment that are not for others to see. */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_NAME.test(name));
  return named.map(([, value]) => value).filter((value) => value.length >= SECRET_CHARS);
}

/** Text without these secrets, and without what looks like keys, tokens and passwords. */
export function redacted(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
  return PATTERNS.reduce((clean, pattern) => clean.replace(pattern, "[redacted]"), known);
}
