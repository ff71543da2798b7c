import * as z from "zod/mini";
import { type EventSchemas, schemasOf } from "./envelope-schema.ts";
import {
  text,
  maybeText,
  maybeNumber,
  maybeYes,
  maybeJson,
  messageOutcome,
  toolOutcome,
  toolKind,
  maybeUsage,
  maybeError,
  todoItem,
  maybeLocations,
} from "./value-schemas.ts";

const textKind = z.enum(["text", "reasoning"]);

/** What an agent says and does: messages, tool calls, files and plans. */
export const contentSchemas: EventSchemas<
  | "message.started"
  | "message.delta"
  | "part.added"
  | "part.ended"
  | "message.ended"
  | "tool.started"
  | "tool.input.delta"
  | "tool.updated"
  | "tool.output.delta"
  | "tool.ended"
  | "tool.amended"
  | "file.changed"
  | "plan.updated"
  | "todo.updated"
> = schemasOf({
  "message.started": {
    messageId: text,
    role: z.enum(["user", "assistant", "system"]),
    inputId: maybeText,
    synthetic: maybeYes,
  },
  "message.delta": { messageId: text, partId: text, kind: textKind, text },
  "part.added": {
    messageId: text,
    partId: text,
    kind: z.enum(["image", "audio", "resource"]),
    mediaType: text,
    data: maybeText,
    uri: maybeText,
  },
  "part.ended": { messageId: text, partId: text, kind: textKind, text },
  "message.ended": {
    messageId: text,
    outcome: messageOutcome,
    model: maybeText,
    usage: maybeUsage,
    error: maybeError,
  },
  "tool.started": {
    callId: text,
    messageId: maybeText,
    name: text,
    kind: toolKind,
    title: maybeText,
    input: maybeJson,
    locations: maybeLocations,
  },
  "tool.input.delta": { callId: text, text },
  "tool.updated": {
    callId: text,
    title: maybeText,
    input: maybeJson,
    output: maybeText,
    locations: maybeLocations,
  },
  "tool.output.delta": { callId: text, stream: z.enum(["stdout", "stderr", "output"]), text },
  "tool.ended": {
    callId: text,
    outcome: toolOutcome,
    output: maybeText,
    exitCode: maybeNumber,
    durationMs: maybeNumber,
  },
  "tool.amended": { callId: text, outcome: toolOutcome, output: maybeText },
  "file.changed": {
    path: text,
    change: z.enum(["added", "modified", "deleted", "moved"]),
    diff: maybeText,
    callId: maybeText,
  },
  "plan.updated": { text },
  "todo.updated": { items: z.array(todoItem) },
});
