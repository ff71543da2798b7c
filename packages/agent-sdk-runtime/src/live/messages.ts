/**
 * A line of the CLI as it came: kinds and fields that nobody knows are kept. The shapes are Claude Code's
 * `stream-json` output.
 */
export interface ClaudeMessage {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A line of the CLI that is no message: kept as text, capped. */
export interface UnparsedLine extends ClaudeMessage {
  readonly type: "unparsed_line";
  readonly text: string;
  /** The length of the whole line. */
  readonly bytes: number;
  readonly reason: string;
}

/** What the stream of a session is made of. */
export type LiveMessage = ClaudeMessage | UnparsedLine;

/** How a turn of the CLI ended. It succeeded when `subtype` is `success`, `is_error` is false and it was not aborted. */
export interface ClaudeResult extends ClaudeMessage {
  readonly type: "result";
  readonly subtype: string;
  readonly is_error: boolean;
  /** The last text, on `success`. */
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly terminal_reason?: string;
  /** Ids of the sends that this turn took up, where they had any. */
  readonly user_message_uuids?: readonly string[];
}

/** Reads a value of the wire as a message; `undefined` when it is none. */
export function readMessage(value: unknown): ClaudeMessage | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return "type" in value && typeof value.type === "string" ? (value as ClaudeMessage) : undefined;
}

/** A message as a result, if it is one. Without its fields it is a failure without words; fields of a wrong type are left out. */
export function readResult(message: ClaudeMessage): ClaudeResult | undefined {
  const { type, result, errors, terminal_reason: reason, user_message_uuids: uuids, ...others } = message;
  if (type !== "result") return undefined;
  return {
    ...others,
    type,
    subtype: textField(message, "subtype") ?? "unknown",
    is_error: message["is_error"] !== false,
    ...(typeof result === "string" ? { result } : undefined),
    ...(isTexts(errors) ? { errors } : undefined),
    ...(typeof reason === "string" ? { terminal_reason: reason } : undefined),
    ...(isTexts(uuids) ? { user_message_uuids: uuids } : undefined),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/**
 * Whether a result is nobody's answer: a turn that the CLI began by itself when background work ended. A
 * send stamped with an origin of its own gets that back, so the key alone says nothing.
 */
export function isBackgroundResult(result: ClaudeResult): boolean {
  return field(result["origin"], "kind") === "task-notification";
}

/** Whether the turn did what was asked. */
export function isSuccess(result: ClaudeResult): boolean {
  const { subtype, is_error: failed, terminal_reason: reason } = result;
  return subtype === "success" && !failed && (reason === undefined || reason === "completed");
}

/** A field of a value that may be anything. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A text field of a value that may be anything. */
export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === "string" ? found : undefined;
}
