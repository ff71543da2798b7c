export { envelopeSchema } from "./envelope-schema.ts";
export type { EventSchemas } from "./envelope-schema.ts";
export { eventSchema, eventSchemas } from "./event-schema.ts";
export { parseEvent } from "./parse-event.ts";
