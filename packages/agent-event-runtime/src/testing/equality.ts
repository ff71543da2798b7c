/**
 * Throws unless both are equal: own properties in any order, `undefined` not the same as absent. What is
 * neither a plain object nor an array is equal only to itself.
 */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected, "");
  if (found !== undefined) throw new Error(`${what}: ${found}`);
}

/** The value after a way through JSON. */
export function thawed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Makes the value and all within it unchangeable, so that a change to it throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** Where two values differ first, or `undefined`. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (!isPlain(actual) || !isPlain(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `at ${path === "" ? "the top" : path} there is ${shown(actual)}, and not ${shown(expected)}`;
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const place = `${path}[${JSON.stringify(key)}]`;
    if (!Object.hasOwn(actual, key)) return `${place} is missing, which is ${shown(expected[key])}`;
    if (!Object.hasOwn(expected, key)) return `${place} is too much: ${shown(actual[key])}`;
    const inner = difference(actual[key], expected[key], place);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
