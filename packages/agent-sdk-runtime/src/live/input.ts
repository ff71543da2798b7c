import type { InputPart } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { field } from "./messages.ts";

/** What is handed to the agent: text, or parts in order. A `command` is run if it is the only part, else it is text. */
export type LiveInput = string | readonly (InputPart | ContentBlock)[];

/** A content block of the Messages API, passed on as it is. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How an input is marked. */
export interface SendOptions {
  /** A UUID of the caller's, to follow the input by. A UUID that the session has seen before is not run again. */
  readonly uuid?: string;
  /** `now` calls off the running turn. Default: the CLI's own, at the next opportunity. */
  readonly priority?: "now" | "next" | "later";
}

/** A line that hands input to the CLI. */
export interface UserLine {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: string | readonly ContentBlock[] };
  readonly parent_tool_use_id: null;
  readonly session_id: "";
  readonly uuid?: string;
  readonly priority?: string;
}

/** Any line that the host writes to the CLI. */
export type SentLine =
  | UserLine
  | { readonly type: "control_request"; readonly request_id: string; readonly request: ControlBody }
  | { readonly type: "control_response"; readonly response: ControlAnswer };

/** What a control request asks. */
export interface ControlBody {
  readonly subtype: string;
  readonly [field: string]: unknown;
}

/** The answer to a request of the CLI. */
export type ControlAnswer =
  | { readonly subtype: "success"; readonly request_id: unknown; readonly response: unknown }
  | { readonly subtype: "error"; readonly request_id: unknown; readonly error: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** Whether a text is a UUID. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/**
 * The line that sends an input. Text is always a block of its own, so it never runs together with what
 * the CLI puts around it, and is never taken for a slash command.
 */
export function inputLine(input: LiveInput, options: SendOptions = {}): UserLine {
  const parts = typeof input === "string" ? [{ type: "text", text: input }] : input;
  if (!isBlocks(parts)) throw invalid("An input is a text, or a list of parts or content blocks.");
  const [first] = parts;
  if (parts.length === 1 && first?.type === "command") return commandLine(String(first["text"]), options);
  const blocks = parts.map(toBlock);
  return userLine(endsLikeCommand(blocks) ? [...blocks, NO_COMMAND] : blocks, options);
}

/** The line that runs a slash command, as the plain text that users type. */
export function commandLine(text: string, options: SendOptions = {}): UserLine {
  return userLine(text, options);
}

/** The texts of a line that sends an input, as they were handed in. */
export function textsOf(line: UserLine): readonly string[] {
  const { content } = line.message;
  if (typeof content === "string") return [content];
  const blocks = endsLikeCommand(content) ? content.slice(0, -1) : content;
  return blocks.flatMap((block) => (typeof block["text"] === "string" ? [block["text"]] : []));
}

/** Behind a text, it keeps the CLI from taking that for a command; the model does not get it. */
const NO_COMMAND: ContentBlock = { type: "text", text: "" };

/** The CLI (seen in 2.1.332) also looks for a command in the last block. */
function endsLikeCommand(blocks: readonly ContentBlock[]): boolean {
  const last = blocks.findLast((block) => block["text"] !== "");
  return typeof last?.["text"] === "string" && last["text"].startsWith("/");
}

function userLine(content: UserLine["message"]["content"], options: SendOptions): UserLine {
  const { uuid, priority } = options;
  if (uuid !== undefined && !isUuid(uuid))
    throw invalid(`"${uuid}" is no UUID, which the id of a send must be.`);
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    session_id: "",
    ...(uuid === undefined ? undefined : { uuid }),
    ...(priority === undefined ? undefined : { priority }),
  };
}

function toBlock(part: InputPart | ContentBlock): ContentBlock {
  if (part.type === "command") return { ...part, type: "text" };
  const { mediaType, data } = part as { readonly mediaType?: unknown; readonly data?: unknown };
  if (part.type !== "image" || mediaType === undefined) return { ...part };
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

/**
 * The text of a line. The CLI ends at a line it cannot take, whatever else waits, so nothing else is ever
 * written. Throws `invalid-input` for such a line.
 */
export function encodeLine(line: SentLine): string {
  checkLine(line);
  try {
    // Control characters and lone surrogates are written as escapes: the text is one line of UTF-8.
    return `${JSON.stringify(line)}\n`;
  } catch (cause) {
    throw new AgentRuntimeError("invalid-input", `This line cannot be written as JSON: ${String(cause)}`, {
      cause,
    });
  }
}

function checkLine(line: SentLine): void {
  switch (line.type) {
    case "user": {
      const content = field(line.message, "content");
      if (field(line.message, "role") !== "user")
        throw invalid("A user line needs a message of the role user.");
      if (typeof content !== "string" && !isBlocks(content))
        throw invalid("The content of a user line is a text or a list of content blocks.");
      return;
    }
    case "control_request":
      if (typeof field(line.request, "subtype") !== "string")
        throw invalid("A control request needs a subtype.");
      return;
    case "control_response":
      if (field(line.response, "request_id") === undefined)
        throw invalid("An answer to the CLI needs the id of its request.");
      return;
    default:
      throw invalid("This is no line that the CLI takes.");
  }
}

function isBlocks(content: unknown): content is readonly ContentBlock[] {
  return Array.isArray(content) && content.every((block) => typeof field(block, "type") === "string");
}

function invalid(message: string): AgentRuntimeError {
  return new AgentRuntimeError("invalid-input", message);
}
