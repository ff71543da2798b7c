import type * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import { field, number } from "../base/read.ts";
import type { AgentRuntimeEvent, DiagnosticAdded, EventEnvelope } from "../event/agent-runtime-event.ts";
import { envelopeFields } from "./envelope-schema.ts";
import { eventSchemas } from "./event-schema.ts";

/**
 * Reads an event from outside, such as a line of a stream or a stored record. Never throws.
 *
 * An event of a known type comes back equal, without the fields that this version does not know. One that
 * cannot be understood keeps its place in the stream, as a `diagnostic` with the same envelope:
 * `event.unknown-type` when its type, or the version of its envelope, is from the future, and
 * `event.invalid` when its fields do not fit. `undefined` is for what has no place in a stream: no `seq`
 * from 1 on, no `sessionId`, or no `time`.
 */
export function parseEvent(value: unknown): AgentRuntimeEvent | undefined {
  const type = attempt(() => field(value, "type"));
  const schema = typeof type === "string" ? schemaOf(type) : undefined;
  const parsed = attempt(() => schema?.safeParse(value));
  if (parsed?.success === true) return parsed.data;
  const envelope = attempt(() => salvaged(value));
  if (envelope === undefined) return undefined;
  if (typeof type !== "string")
    return { ...envelope, ...invalid("An event without a type was skipped.", {}) };
  const version = attempt(() => number(value, "v")) ?? envelope.v;
  if (schema === undefined || version > envelope.v) return { ...envelope, ...fromTheFuture(type, version) };
  return { ...envelope, ...misfit(type, parsed?.error.issues ?? []) };
}

// Values are not always what JSON.parse makes: a getter or a proxy may throw when it is looked at.
function attempt<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function schemaOf(type: string): z.ZodMiniType<AgentRuntimeEvent> | undefined {
  const schemas: Readonly<Record<string, z.ZodMiniType<AgentRuntimeEvent>>> = eventSchemas;
  return Object.hasOwn(schemas, type) ? schemas[type] : undefined;
}

/** What can be read of the envelope, if that is enough to give the event its place. */
function salvaged(value: unknown): EventEnvelope | undefined {
  const kept: Partial<Record<string, unknown>> = {};
  for (const [name, schema] of Object.entries(envelopeFields)) {
    const parsed = schema.safeParse(field(value, name));
    if (parsed.success && parsed.data !== undefined) kept[name] = parsed.data;
  }
  const placed = ["seq", "sessionId", "time"].every((name) => kept[name] !== undefined);
  return placed ? ({ adapter: "", ...kept, v: 1 } as unknown as EventEnvelope) : undefined;
}

const MAX_TYPE_LENGTH = 80;

function fromTheFuture(name: string, version: number): DiagnosticAdded {
  const type = name.slice(0, MAX_TYPE_LENGTH);
  const message = `An event of type ${JSON.stringify(type)}, version ${version}, is not known to this version of the software and was skipped.`;
  const detail = { type, v: version };
  return { type: "diagnostic", code: "event.unknown-type", severity: "warning", message, detail };
}

const MAX_ISSUES = 5;

/** Says which fields do not fit, and nothing of what is in them: that may be a secret. */
function misfit(type: string, issues: readonly z.core.$ZodIssue[]): DiagnosticAdded {
  const fields = issues.slice(0, MAX_ISSUES).map(({ path }) => path.join("."));
  const where = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  return invalid(`An event of type "${type}" has fields that do not fit${where} and was skipped.`, {
    type,
    fields,
  });
}

function invalid(message: string, detail: Json): DiagnosticAdded {
  return { type: "diagnostic", code: "event.invalid", severity: "warning", message, detail };
}
