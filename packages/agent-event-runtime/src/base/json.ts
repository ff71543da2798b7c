/** Any value that survives `JSON.parse(JSON.stringify(value))`. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. Reducer state never keys one by an outside id: see `keyed-list.ts`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The same shape written so that the compiler sees it as JSON: interfaces have no index signature, this has. */
export type Plain<Value> = Value extends Json
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : { readonly [Key in keyof Value]: Plain<Value[Key]> };

const MAX_DEPTH = 128;

/**
 * A copy of the value as JSON: what JSON cannot say is left out, or `null` within arrays; a cycle, and
 * what is nested deeper than 128 levels, is `null`. `undefined` when nothing can be said.
 */
export function toJson(value: unknown): Json | undefined {
  return copy(value, []);
}

function copy(value: unknown, ancestors: readonly object[]): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object") return undefined;
  if (ancestors.length >= MAX_DEPTH || ancestors.includes(value)) return null;
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, path) ?? null);
  const entries = Object.entries(value).map(([key, item]) => [key, copy(item, path)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}
