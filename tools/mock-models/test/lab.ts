import { onTestFinished } from "vitest";
import { type MockModels, type MockModelsOptions, startMockModels } from "../src/index.ts";

/** Time for what takes milliseconds on a machine that is not busy. */
export const DEADLINE_MS = 20_000;

/** A message of a conversation, as a client sends it. */
export interface Said {
  readonly role: "user" | "assistant" | "system";
  readonly content: unknown;
}

/** A server for one test. */
export async function mockFor(options?: MockModelsOptions): Promise<MockModels> {
  const mock = await startMockModels(options);
  onTestFinished(() => mock.close());
  return mock;
}

/** A user message. */
export function user(content: unknown): Said {
  return { role: "user", content };
}

/** An assistant message. */
export function assistant(content: unknown): Said {
  return { role: "assistant", content };
}

/** Calls the model; `more` goes into the body, or replaces what is there. */
export function post(
  mock: MockModels,
  messages: string | readonly Said[],
  more: object = {},
  init: RequestInit = {},
): Promise<Response> {
  const conversation = typeof messages === "string" ? [user(messages)] : messages;
  return fetch(`${mock.url}/v1/messages?beta=true`, {
    method: "POST",
    body: JSON.stringify({ model: "model-a", max_tokens: 1000, messages: conversation, ...more }),
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...init,
  });
}

/** The body of an answer that is JSON. */
export async function whole(answer: Promise<Response>): Promise<Record<string, unknown>> {
  return (await (await answer).json()) as Record<string, unknown>;
}

/** The text of an answer that is a message. */
export async function said(answer: Promise<Response>): Promise<unknown> {
  const { content } = await whole(answer);
  return (content as readonly { readonly text?: string }[]).map(({ text }) => text).join("");
}

/** How a promise fails, as a text; it is a failure that it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return String(error);
  }
  throw new Error("It did not fail.");
}

/** An event of a stream. */
export interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** The events of a whole stream; each names its type twice. */
function eventsOf(text: string): readonly StreamEvent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((block) => {
      const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/u.exec(block) ?? [];
      const event = JSON.parse(data) as StreamEvent;
      if (event.type !== name) throw new Error(`The event ${name} says that it is ${event.type}.`);
      return event;
    });
}

/** Streams an answer to its end. */
export async function streamed(answer: Promise<Response>): Promise<readonly StreamEvent[]> {
  return eventsOf(await (await answer).text());
}

/** Reads a stream until the text has come, or the stream ends. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  text: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let read = "";
  while (!read.includes(text)) {
    const { value, done } = await reader.read();
    if (done) return read;
    read += decoder.decode(value, { stream: true });
  }
  return read;
}

/** A stream's reader. */
export function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (body === null) throw new Error("The answer has no body.");
  return body.getReader();
}
