/**
 * Narrow readers for values of unknown shape, such as vendor frames. Each answers the value when it
 * has the wanted type, else `undefined`; none throws and none looks at inherited properties.
 */

/** A plain object read by own keys only. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** The value as an object, or `undefined` for arrays, `null` and everything else. */
export function record(value: unknown): UnknownRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as UnknownRecord)
    : undefined;
}

/** The own property `key` of an object, or `undefined`. */
export function field(value: unknown, key: string): unknown {
  const object = record(value);
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own property as a string. */
export function text(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === "string" ? found : undefined;
}

/** The own property as a finite number. */
export function number(value: unknown, key: string): number | undefined {
  const found = field(value, key);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The own property as a boolean. */
export function flag(value: unknown, key: string): boolean | undefined {
  const found = field(value, key);
  return typeof found === "boolean" ? found : undefined;
}

/** The own property as an array; an empty array when it is anything else. */
export function list(value: unknown, key: string): readonly unknown[] {
  const found = field(value, key);
  return Array.isArray(found) ? found : [];
}
