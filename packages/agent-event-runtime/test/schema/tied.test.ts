import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import type { AgentRuntimeEvent, EventEnvelope, EventOf, EventType, Json } from "../../src/index.ts";
import { schemasOf } from "../../src/schema/envelope-schema.ts";
import type { envelopeSchema, eventSchema, eventSchemas } from "../../src/schema/index.ts";
import { type Same, tied } from "../../src/schema/tied.ts";
import { maybeJson as data } from "../../src/schema/value-schemas.ts";

interface Example {
  readonly kind: "a" | "b";
  readonly name?: string;
  readonly inner: { readonly items: readonly number[] };
  readonly data?: Json;
}

const kind = z.enum(["a", "b"]);
const name = z.exactOptional(z.string());
const inner = z.object({ items: z.array(z.number()) });

// Most of this is for the compiler: a line that it should refuse and does not is an error of its own.
describe("a schema that is tied to a type", () => {
  test("is taken when it lets through exactly the type", () => {
    const schema = tied<Example>()(z.object({ kind, name, inner, data }));
    expectTypeOf(schema).toEqualTypeOf<z.ZodMiniType<Example>>();
    expect(schema.safeParse({ kind: "a", inner: { items: [1] } }).success).toBe(true);
  });

  test("is refused when it lacks an optional field", () => {
    // @ts-expect-error -- `name` is missing
    expect(tied<Example>()(z.object({ kind, inner, data }))).toBeDefined();
  });

  test("is refused when it has a field too many", () => {
    // @ts-expect-error -- `more` is not in the type
    expect(tied<Example>()(z.object({ kind, name, inner, data, more: name }))).toBeDefined();
  });

  test("is refused when a field is optional on one side alone", () => {
    // @ts-expect-error -- `name` is optional in the type
    expect(tied<Example>()(z.object({ kind, name: z.string(), inner, data }))).toBeDefined();
    // @ts-expect-error -- `kind` is required in the type
    expect(tied<Example>()(z.object({ kind: z.exactOptional(kind), name, inner, data }))).toBeDefined();
  });

  test("is refused when an optional field may hold undefined", () => {
    // @ts-expect-error -- in the type the field is absent or a string
    expect(tied<Example>()(z.object({ kind, name: z.optional(z.string()), inner, data }))).toBeDefined();
  });

  test("is refused when it knows fewer or more values", () => {
    // @ts-expect-error -- "b" is missing
    expect(tied<Example>()(z.object({ kind: z.enum(["a"]), name, inner, data }))).toBeDefined();
    // @ts-expect-error -- "c" is too many
    expect(tied<Example>()(z.object({ kind: z.enum(["a", "b", "c"]), name, inner, data }))).toBeDefined();
  });

  test("is refused when it differs deeper down", () => {
    const other = z.object({ items: z.array(z.number()), more: name });
    // @ts-expect-error -- `inner.more` is not in the type
    expect(tied<Example>()(z.object({ kind, name, inner: other, data }))).toBeDefined();
  });

  test("is refused when it says nothing", () => {
    // @ts-expect-error -- `unknown` is not the type
    expect(tied<Example>()(z.unknown())).toBeDefined();
    expectTypeOf<Same<unknown, Json>>().toEqualTypeOf<false>();
    expectTypeOf<Same<{ a: unknown }, { a: Json }>>().toEqualTypeOf<false>();
    expectTypeOf<Same<{ a: unknown }, { a: string }>>().toEqualTypeOf<false>();
  });
});

describe("the schemas of events", () => {
  test("are refused when their fields are not those of the type", () => {
    // @ts-expect-error -- the turn's id is missing
    expect(schemasOf({ "turn.started": {} })).toBeDefined();
    // @ts-expect-error -- there is no such type
    expect(schemasOf({ "turn.forgotten": {} })).toBeDefined();
    expect(schemasOf({ "turn.started": { turnId: z.string() } })).toBeDefined();
  });

  test("let through what the types say, envelope included", () => {
    expectTypeOf<z.output<typeof eventSchema>>().toEqualTypeOf<AgentRuntimeEvent>();
    expectTypeOf<z.output<typeof envelopeSchema>>().toEqualTypeOf<EventEnvelope>();
    expectTypeOf<{
      readonly [Type in EventType]: z.output<(typeof eventSchemas)[Type]>;
    }>().toEqualTypeOf<{ readonly [Type in EventType]: EventOf<Type> }>();
  });
});
