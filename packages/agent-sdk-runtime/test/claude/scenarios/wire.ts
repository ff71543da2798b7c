import type { ClaudeMessage } from "../../../src/live/index.ts";
import { field, textField } from "../../../src/live/messages.ts";

/** The content blocks of a message of the API. */
export function blocksOf(message: object): readonly unknown[] {
  const content = field(field(message, "message"), "content");
  return Array.isArray(content) ? (content as unknown[]) : [];
}

/** Whether the CLI says these words as the model's. */
export function says(text: string): (message: ClaudeMessage) => boolean {
  return (message) =>
    message.type === "assistant" && blocksOf(message).some((block) => textField(block, "text") === text);
}

/** Whether the model calls this tool. */
export function calls(tool: string): (message: ClaudeMessage) => boolean {
  return (message) =>
    message.type === "assistant" &&
    blocksOf(message).some(
      (block) => textField(block, "type") === "tool_use" && textField(block, "name") === tool,
    );
}

/** What tools gave back to the model, in order. */
export function toolResults(messages: readonly ClaudeMessage[]): readonly unknown[] {
  return messages
    .filter(({ type }) => type === "user")
    .flatMap(blocksOf)
    .filter((block) => textField(block, "type") === "tool_result");
}

/** The texts of a message, or of a row of the transcript. */
export function textsOf(message: object): readonly string[] {
  const texts = blocksOf(message).map((block) => textField(block, "text"));
  return texts.filter((text) => text !== undefined);
}
