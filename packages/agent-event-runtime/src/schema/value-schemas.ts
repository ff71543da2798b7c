import * as z from "zod/mini";
import type { Json } from "../base/json.ts";
import type {
  ErrorInfo,
  ExitInfo,
  HarnessEndReason,
  InputOutcome,
  InputPart,
  MessageOutcome,
  PermissionOption,
  PermissionOutcome,
  Question,
  QuestionOutcome,
  SessionStatus,
  TaskOutcome,
  TodoItem,
  ToolKind,
  ToolLocation,
  ToolOutcome,
  TurnOutcome,
  Usage,
} from "../event/event-values.ts";
import { isJson } from "./json-value.ts";
import { tied } from "./tied.ts";

// What fields hold, under the names of `event-values.ts`. Fields of other names are made of these.

export const text: z.ZodMiniString = z.string();
export const number: z.ZodMiniNumber = z.number();
export const flag: z.ZodMiniBoolean = z.boolean();
const yes: z.ZodMiniLiteral<true> = z.literal(true);
const texts: z.ZodMiniArray<z.ZodMiniString> = z.array(text);

// `unknown` with a condition, not a recursive schema: the value is not copied, and a cycle ends.
export const json: z.ZodMiniType<Json> = z.unknown().check(z.refine(isJson)) as z.ZodMiniType<Json>;

export const maybeText: z.ZodMiniExactOptional<z.ZodMiniString> = z.exactOptional(text);
export const maybeNumber: z.ZodMiniExactOptional<z.ZodMiniNumber> = z.exactOptional(number);
export const maybeYes: z.ZodMiniExactOptional<z.ZodMiniLiteral<true>> = z.exactOptional(yes);
export const maybeJson: z.ZodMiniExactOptional<z.ZodMiniType<Json>> = z.exactOptional(json);
export const maybeTexts: z.ZodMiniExactOptional<z.ZodMiniArray<z.ZodMiniString>> = z.exactOptional(texts);

export const inputPart: z.ZodMiniType<InputPart> = tied<InputPart>()(
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text"), text }),
    z.object({ type: z.literal("command"), text }),
    z.object({ type: z.literal("image"), mediaType: text, data: text }),
  ]),
);

export const turnOutcome: z.ZodMiniType<TurnOutcome> = tied<TurnOutcome>()(
  z.enum(["completed", "failed", "cancelled"]),
);

export const inputOutcome: z.ZodMiniType<InputOutcome> = tied<InputOutcome>()(
  z.enum(["answered", "cancelled", "refused", "lost", "handled", "known", "unobserved"]),
);

export const messageOutcome: z.ZodMiniType<MessageOutcome> = tied<MessageOutcome>()(
  z.enum(["completed", "cancelled", "failed", "superseded", "abandoned"]),
);

export const toolOutcome: z.ZodMiniType<ToolOutcome> = tied<ToolOutcome>()(
  z.enum(["ok", "failed", "denied", "cancelled", "abandoned"]),
);

export const permissionOutcome: z.ZodMiniType<PermissionOutcome> = tied<PermissionOutcome>()(
  z.enum(["allowed", "denied", "cancelled", "expired"]),
);

export const questionOutcome: z.ZodMiniType<QuestionOutcome> = tied<QuestionOutcome>()(
  z.enum(["answered", "rejected", "cancelled", "expired"]),
);

export const taskOutcome: z.ZodMiniType<TaskOutcome> = tied<TaskOutcome>()(
  z.enum(["completed", "failed", "cancelled", "abandoned"]),
);

export const toolKind: z.ZodMiniType<ToolKind> = tied<ToolKind>()(
  z.enum(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "mcp", "agent", "other"]),
);

export const sessionStatus: z.ZodMiniType<SessionStatus> = tied<SessionStatus>()(
  z.enum(["recovering", "busy", "error", "idle"]),
);

export const harnessEndReason: z.ZodMiniType<HarnessEndReason> = tied<HarnessEndReason>()(
  z.enum(["switched", "closed", "crashed", "lost"]),
);

export const usage: z.ZodMiniType<Usage> = tied<Usage>()(
  z.object({
    inputTokens: maybeNumber,
    outputTokens: maybeNumber,
    cacheReadTokens: maybeNumber,
    cacheWriteTokens: maybeNumber,
    reasoningTokens: maybeNumber,
    totalTokens: maybeNumber,
  }),
);

export const maybeUsage: z.ZodMiniExactOptional<z.ZodMiniType<Usage>> = z.exactOptional(usage);

const errorInfo = tied<ErrorInfo>()(z.object({ message: text, code: maybeText, status: maybeNumber }));

export const maybeError: z.ZodMiniExactOptional<z.ZodMiniType<ErrorInfo>> = z.exactOptional(errorInfo);

export const permissionOption: z.ZodMiniType<PermissionOption> = tied<PermissionOption>()(
  z.object({
    optionId: text,
    label: text,
    effect: z.enum(["allow", "deny"]),
    scope: z.enum(["once", "session", "always"]),
  }),
);

export const question: z.ZodMiniType<Question> = tied<Question>()(
  z.object({
    prompt: text,
    options: z.array(z.object({ label: text, description: maybeText })),
    multiple: flag,
  }),
);

export const todoItem: z.ZodMiniType<TodoItem> = tied<TodoItem>()(
  z.object({ text, status: z.enum(["pending", "active", "done", "dropped"]) }),
);

const toolLocation = tied<ToolLocation>()(z.object({ path: text, line: maybeNumber }));

export const maybeLocations: z.ZodMiniExactOptional<z.ZodMiniArray<z.ZodMiniType<ToolLocation>>> =
  z.exactOptional(z.array(toolLocation));

export const exitInfo: z.ZodMiniType<ExitInfo> = tied<ExitInfo>()(
  z.object({ code: maybeNumber, signal: maybeText, message: maybeText }),
);
