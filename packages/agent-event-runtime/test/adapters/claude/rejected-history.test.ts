import { describe, expect, test } from "vitest";
import { eventsOf, init, only, result } from "./said.ts";

/** The code that a run fails with when the CLI answers so. */
function codeOf(said: string, status = 400): string | undefined {
  const failed = {
    is_error: true,
    result: said,
    terminal_reason: "api_error",
    api_error_type: "invalid_request_error",
    api_error_status: status,
  };
  return only(eventsOf([init(), result(failed)]), "run.ended")[0]?.error?.code;
}

/** The body of a refusal, as older CLIs repeat it. */
function body(message: string): string {
  return JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
}

describe("a history that the provider refuses", () => {
  test.each([
    "tool_use ids must be unique",
    "messages.3.content.1: `tool_use` ids must be unique",
    "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01.",
    "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01.",
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
    "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    "Expected `thinking` or `redacted_thinking`, but found `text`.",
    "messages.19: The final block in an assistant message cannot be `thinking`.",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    'messages: roles must alternate between "user" and "assistant"',
    "messages: text content blocks must be non-empty",
    "messages: final assistant content cannot end with trailing whitespace",
    "messages.2.content.0.text: cache_control cannot be set for empty text blocks",
    "messages.1.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
    "Could not process image",
  ])("is told by its code: %s", (message) => {
    expect(codeOf(`API Error: 400 ${message}`)).toBe("history-rejected");
    expect(codeOf(`API Error: 400 ${body(message)}`)).toBe("history-rejected");
    expect(codeOf(`API Error: 422 ${message}`, 422)).toBe("invalid_request_error");
  });

  test.each([
    "API Error: 400 due to tool use concurrency issues.",
    "API Error: 400 duplicate tool_use ID in conversation history.",
    "API Error: 400 orphaned tool_result in conversation history.",
    "An image in the conversation exceeds the dimension limit for many-image requests (2000px).",
    'API Error: 400 {"error":{"message":"Error code: 400 - {\'message\': \'messages: bad\'}"}}',
    "API Error (a-model): 400 The model returned the following errors: messages.0.content: bad",
  ])("is told by its code in other words: %s", (said) => {
    expect(codeOf(said)).toBe("history-rejected");
  });

  test.each([
    "Your credit balance is too low to access the Anthropic API.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    "model: no-such-model",
    "Unexpected value(s) `tool-examples-2025-10-29` for the `anthropic-beta` header.",
    "`max_tokens` must be greater than `thinking.budget_tokens`.",
    "`clear_thinking_20251015` strategy requires `thinking` to be enabled",
    "context_management.edits.0: `clear_tool_uses_20250919` is not supported",
    "tool_choice.disable_parallel_tool_use: Extra inputs are not permitted",
    "tools: Tool names must be unique.",
    "system: text content blocks must be non-empty",
    "Claude Code is unable to respond to this request, which appears to violate our Usage Policy.",
  ])("is not meant by %s", (message) => {
    expect(codeOf(`API Error: 400 ${message}`)).toBe("invalid_request_error");
    expect(codeOf(`API Error: 400 ${body(message)}`)).toBe("invalid_request_error");
  });
});

test("a conversation that does not fit into the context has a code of its own", () => {
  // As recorded of 2.1.332.
  const failed = {
    is_error: true,
    result: "Prompt is too long · the request is ~250000 tokens (limit 200000)",
    terminal_reason: "prompt_too_long",
    api_error_type: "invalid_request_error",
    api_error_status: 400,
  };
  expect(only(eventsOf([init(), result(failed)]), "run.ended")).toMatchObject([
    { reason: "harness.prompt_too_long", error: { code: "context-overflow", status: 400 } },
  ]);
});
