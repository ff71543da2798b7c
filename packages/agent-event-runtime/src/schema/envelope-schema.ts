import * as z from "zod/mini";
import type { EventBody, EventEnvelope, EventOf, EventType } from "../event/agent-runtime-event.ts";
import { type Tie, tied } from "./tied.ts";
import { maybeNumber, maybeText, maybeTexts, maybeYes, number, text } from "./value-schemas.ts";

const fields = {
  v: z.literal(1),
  // Not `z.int()`: its number formats would be a twentieth of the whole bundle.
  seq: number.check(z.refine(isSeq)),
  sessionId: text,
  time: number,
  adapter: text,
  frame: maybeNumber,
  turnId: maybeText,
  runId: maybeText,
  agent: maybeTexts,
  late: maybeYes,
  replayed: maybeYes,
};

/** The fields of the envelope by name, for reading what is left of a damaged one. */
export const envelopeFields: { readonly [Key in keyof EventEnvelope]-?: z.ZodMiniType } = fields;

/** What every event carries, alone. */
export const envelopeSchema: z.ZodMiniType<EventEnvelope> = tied<EventEnvelope>()(z.object(fields));

function isSeq(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** The schemas of events of these types, by type. */
export type EventSchemas<Type extends EventType> = { readonly [Each in Type]: z.ZodMiniType<EventOf<Each>> };

type BodyOf<Type extends EventType> = Extract<EventBody, { readonly type: Type }>;

/** Schemas of whole events, from the fields that each type adds. Fields that differ from the type do not compile. */
export function schemasOf<Bodies extends Readonly<Record<string, z.core.$ZodLooseShape>>>(
  bodies: Bodies & {
    readonly [Type in keyof Bodies]: Type extends EventType
      ? Tie<z.output<z.ZodMiniObject<Bodies[Type] & { type: z.ZodMiniLiteral<Type> }>>, BodyOf<Type>>
      : never;
  },
): { readonly [Type in keyof Bodies]: Type extends EventType ? z.ZodMiniType<EventOf<Type>> : never } {
  const schemas = Object.entries<z.core.$ZodLooseShape>(bodies).map(
    // The body's fields come last: where a body has an id that the envelope may have, it is required.
    ([type, body]) => [type, z.object({ ...fields, type: z.literal(type), ...body })] as const,
  );
  return Object.fromEntries(schemas) as unknown as ReturnType<typeof schemasOf<Bodies>>;
}
