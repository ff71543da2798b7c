import * as z from "zod";

interface Schema {
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly unknown[] | undefined;
  readonly oneOf?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: unknown;
  readonly minItems?: number | undefined;
  readonly minimum?: number | undefined;
}

const schemaSchema: z.ZodType<Schema> = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  minItems: z.number().optional(),
  minimum: z.number().optional(),
});

/** A smallest value that fits a JSON schema of the simple kind that models are given; `null` for any other. */
export function sampleOf(value: unknown): unknown {
  const schema = schemaSchema.safeParse(value).data ?? {};
  if (schema.const !== undefined) return schema.const;
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option !== undefined) return sampleOf(option);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (typeof schema.type === "object" ? schema.type[0] : schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sampleOf(schema.properties?.[key])]),
      );
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
    case "string":
      return "sample";
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    default:
      return null;
  }
}
