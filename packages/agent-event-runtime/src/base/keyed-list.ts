/**
 * Maps for reducer state, kept as a list of entries: outside ids such as `__proto__`, `constructor`
 * and `""` are ordinary keys, order is insertion order, and the value is JSON.
 */
export type KeyedList<Value> = readonly (readonly [key: string, value: Value])[];

/** The value stored under the key. */
export function lookup<Value>(list: KeyedList<Value>, key: string): Value | undefined {
  return list.find(([known]) => known === key)?.[1];
}

/** The list with the key set: in place when it is known, else appended. */
export function assign<Value>(list: KeyedList<Value>, key: string, value: Value): KeyedList<Value> {
  const entry = [key, value] as const;
  return list.some(([known]) => known === key)
    ? list.map((known) => (known[0] === key ? entry : known))
    : [...list, entry];
}

/** The list without the key. */
export function omit<Value>(list: KeyedList<Value>, key: string): KeyedList<Value> {
  return list.filter(([known]) => known !== key);
}
