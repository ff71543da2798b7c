import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { envelopeSchema, eventSchema, eventSchemas } from "../../src/schema/index.ts";
import { everyDraft, everyEvent } from "../../src/testing/index.ts";
import { fullEvents } from "./full-events.ts";

describe("the schema of events", () => {
  test("has each type of event", () => {
    const types = everyDraft.map(({ type }) => type).toSorted();
    expect(Object.keys(eventSchemas).toSorted()).toEqual(types);
    expect(fullEvents.map(({ type }) => type).toSorted()).toEqual(types);
  });

  test.each([...fullEvents, ...everyEvent])("takes and keeps every field of $type", (event) => {
    expect(eventSchema.parse(event)).toStrictEqual(event);
    expect(eventSchemas[event.type].parse(event)).toStrictEqual(event);
    expect(envelopeSchema.safeParse(event).success).toBe(true);
  });

  test("refuses a type that it does not know, and events of other types", () => {
    const [event] = everyEvent;
    expect(eventSchema.safeParse({ ...event, type: "turn.forgotten" }).success).toBe(false);
    expect(eventSchemas["turn.started"].safeParse(event).success).toBe(false);
  });

  test.each([0, -1, 1.5, 2 ** 53, Number.NaN, "1", null])("refuses %s as a seq", (seq) => {
    expect(eventSchema.safeParse({ ...everyEvent[0], seq }).success).toBe(false);
  });

  test("can be told as JSON Schema, for those who speak no TypeScript", () => {
    const told = z.toJSONSchema(eventSchema) as { readonly oneOf: readonly z.core.JSONSchema.BaseSchema[] };
    expect(told.oneOf).toHaveLength(fullEvents.length);
    expect(told.oneOf[1]).toMatchObject({
      type: "object",
      properties: {
        type: { const: "session.status" },
        status: { enum: ["recovering", "busy", "error", "idle"] },
      },
      required: ["v", "seq", "sessionId", "time", "adapter", "type", "status"],
    });
  });
});
