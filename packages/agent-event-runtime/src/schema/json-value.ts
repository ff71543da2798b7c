const MAX_DEPTH = 256;

/**
 * Whether the value survives `JSON.parse(JSON.stringify(value))`: no functions, no class instances, no
 * numbers that JSON cannot say, no cycle, and nothing nested deeper than 256 levels (what occurs in several
 * places counts where it is met first). Looks at each object once.
 */
export function isJson(value: unknown): boolean {
  return check(value, new Set(), new Set());
}

function check(value: unknown, ancestors: Set<object>, sound: Set<object>): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || ancestors.size >= MAX_DEPTH || ancestors.has(value)) return false;
  if (sound.has(value)) return true;
  const items = itemsOf(value);
  ancestors.add(value);
  const fits = items?.every((item) => check(item, ancestors, sound)) === true;
  ancestors.delete(value);
  sound.add(value);
  return fits;
}

/** What is inside an array or a plain object; `undefined` for other objects. */
function itemsOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return Array.from<unknown>(value);
  // A plain object of any realm: its prototype, if it has one, is the end of the chain.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  return Object.values(value).filter((item) => item !== undefined);
}
