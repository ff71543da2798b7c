import type * as z from "zod/mini";
import type { Json } from "../base/json.ts";

/** A type written in one notation: intersections flat, everything read-only, JSON not looked into. */
type Plainly<Type> = unknown extends Type
  ? Type
  : [Json] extends [Type]
    ? Json
    : Type extends readonly (infer Item)[]
      ? readonly Plainly<Item>[]
      : Type extends object
        ? { readonly [Key in keyof Type]: Plainly<Type[Key]> }
        : Type;

/**
 * `true` when the two types have the same values and the same fields, optional ones included: being
 * assignable both ways would not notice an optional field that only one of them knows.
 */
// The outer condition does nothing but wait until both types are known; the inner one would not.
export type Same<One, Other> = [One, Other] extends [infer A, infer B]
  ? Identical<Plainly<A>, Plainly<B>>
  : never;

type Identical<One, Other> =
  (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : false;

/** What a schema must fit besides itself: anything, or an object that tells in the compiler's error what differs. */
export type Tie<Output, Type> =
  Same<Output, Type> extends true
    ? unknown
    : { readonly "the schema and the type differ": { readonly schema: Output; readonly type: Type } };

/** Takes a schema only if what it lets through is exactly the type: `tied<ToolKind>()(z.enum([…]))`. */
export function tied<Type>(): <Schema extends z.ZodMiniType>(
  schema: Schema & Tie<z.output<Schema>, Type>,
) => z.ZodMiniType<Type> {
  // The parameter's type has just shown it; the compiler does not carry it over.
  return (schema) => schema as unknown as z.ZodMiniType<Type>;
}
