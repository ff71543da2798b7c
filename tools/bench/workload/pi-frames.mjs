// Payloads in the form of pi 1.6, as long and as many as a measurement needs.

/** @typedef {import("@claxedo/agent-event-runtime").Json} Json */

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
const total = { ...usage, input: 103, output: 20, cacheRead: 10, totalTokens: 133 };
const model = { api: "openai-completions", provider: "mock", model: "mock-1" };
const words = "The quick brown fox jumps over the lazy dog, and then it says why it did so. ";

/** So many characters of prose. @param {number} length */
export function prose(length) {
  return words.repeat(Math.ceil(length / words.length)).slice(0, length);
}

/** The command that hands over a prompt. @param {string} id @param {string} message */
export function prompt(id, message) {
  return { id, type: "prompt", message };
}

/** From pi's answer to the prompt to its echo of it. @param {string} id @param {string} text @returns {Json[]} */
export function runStart(id, text) {
  const message = { role: "user", content: [{ type: "text", text }], timestamp: 1 };
  return [
    { id, type: "response", command: "prompt", success: true, data: { disposition: "started" } },
    { type: "agent_start" },
    { type: "turn_start" },
    { type: "message_start", message },
    { type: "message_end", message },
  ];
}

/** The last frames of a run. @returns {Json[]} */
export function runEnd() {
  return [
    { type: "agent_end", messages: [], willRetry: false },
    { type: "agent_settled", aborted: false },
  ];
}

/** An answer begins. @returns {Json[]} */
export function answerStart() {
  return [
    {
      type: "message_start",
      message: { role: "assistant", content: [], ...model, usage, stopReason: "pending" },
    },
    update({ type: "text_start", contentIndex: 0 }),
  ];
}

/** A piece of the answer. @param {string} delta @returns {Json} */
export function textDelta(delta) {
  return update({ type: "text_delta", contentIndex: 0, delta });
}

/** The answer is whole. @param {string} text @returns {Json[]} */
export function answerEnd(text) {
  const content = [{ type: "text", text }];
  return [
    update({ type: "text_end", contentIndex: 0, content: text }),
    {
      type: "message_end",
      message: { role: "assistant", content, ...model, usage: total, stopReason: "stop" },
    },
  ];
}

/** A call of bash with some output, from its announcement to its result. @param {string} id @returns {Json[]} */
function toolCall(id) {
  const args = { command: "npm test -- --run" };
  const call = { type: "toolCall", id, name: "bash", arguments: args };
  const execution = { toolCallId: id, toolName: "bash" };
  const content = [{ type: "text", text: prose(400) }];
  const result = { role: "toolResult", ...execution, content, isError: false, durationMs: 40 };
  return [
    {
      type: "message_start",
      message: { role: "assistant", content: [], ...model, usage, stopReason: "pending" },
    },
    update({ type: "toolcall_start", contentIndex: 0, id, toolName: "bash" }),
    ...['{"comm', 'and":"npm', " test -- ", '--run"}'].map((delta) =>
      update({ type: "toolcall_delta", contentIndex: 0, delta }),
    ),
    update({ type: "toolcall_end", contentIndex: 0, toolCall: call }),
    {
      type: "message_end",
      message: { role: "assistant", content: [call], ...model, usage: total, stopReason: "toolUse" },
    },
    { type: "tool_execution_start", ...execution, args },
    {
      type: "tool_execution_update",
      ...execution,
      args,
      partialResult: { content: [{ type: "text", text: prose(120) }] },
    },
    {
      type: "tool_execution_end",
      ...execution,
      result: { content, structuredContent: { exit_code: 0 } },
      isError: false,
    },
    { type: "message_start", message: result },
    { type: "message_end", message: result },
  ];
}

/** An answer in deltas of the given length. @param {number} count @param {number} length @returns {Json[]} */
export function answer(count, length) {
  return [
    ...answerStart(),
    ...Array.from({ length: count }, () => textDelta(prose(length))),
    ...answerEnd(prose(length).repeat(count)),
  ];
}

/** What pi writes in one run that uses two tools and answers. @param {string} id @param {string} text @returns {Json[]} */
export function wholeRun(id, text) {
  return [
    ...runStart(id, text),
    ...answer(12, 20),
    ...toolCall(`${id}-a`),
    ...toolCall(`${id}-b`),
    ...answer(40, 20),
    ...runEnd(),
  ];
}

/** @param {Json} assistantMessageEvent @returns {Json} */
function update(assistantMessageEvent) {
  return { type: "message_update", usage, assistantMessageEvent };
}
