import * as z from "zod";

/**
 * A schema that depends on the value it reads; a string says why there is none. (Where schemas are tried one after
 * another, as in a union, none of them can say what is wrong.)
 */
export function chosen<Out>(choose: (value: unknown) => z.ZodType<Out> | string): z.ZodType<Out> {
  return z.unknown().transform((value, context): Out => {
    const schema = choose(value);
    if (typeof schema === "string") {
      context.addIssue(schema);
      return z.NEVER;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}

/** An object that has exactly one of these keys, and is read by the schema of that one. */
export function byKey<Out>(what: string, schemas: Readonly<Record<string, z.ZodType<Out>>>): z.ZodType<Out> {
  const keys = Object.keys(schemas);
  return chosen((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${what} is an object.`;
    const [key, ...others] = keys.filter((name) => Object.hasOwn(value, name));
    const schema = key === undefined ? undefined : schemas[key];
    if (schema !== undefined && others.length === 0) return schema;
    const has = key === undefined ? Object.keys(value) : [key, ...others];
    return `${what} has exactly one of ${keys.join(", ")}; this one has ${has.join(", ") || "no key"}.`;
  });
}
