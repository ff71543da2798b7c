import * as z from "zod/mini";
import type { AgentRuntimeEvent, EventType } from "../event/agent-runtime-event.ts";
import { contentSchemas } from "./content-schemas.ts";
import type { EventSchemas } from "./envelope-schema.ts";
import { sessionSchemas } from "./session-schemas.ts";
import { sideSchemas } from "./side-schemas.ts";

/** The schema of each type of event, envelope included. Fields that it does not know are left out of its output. */
export const eventSchemas: EventSchemas<EventType> = { ...sessionSchemas, ...contentSchemas, ...sideSchemas };

type Options = readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]];

/** The schema of any event: refuses what is not an event of a known type. To read a stream, use `parseEvent`. */
export const eventSchema: z.ZodMiniType<AgentRuntimeEvent> = z.discriminatedUnion(
  "type",
  // Each is an object with a literal type; their own types say only what they let through.
  Object.values(eventSchemas) as unknown as Options,
) as unknown as z.ZodMiniType<AgentRuntimeEvent>;
