import { setTimeout as delay } from "node:timers/promises";
import type { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { plan, type Plan, SCRIPTED_ID, SCRIPTED_PROVIDER, textOf } from "./scripted-model.ts";
import { ScriptedStream } from "./scripted-stream.ts";

type ProviderConfig = Parameters<ModelRuntime["registerProvider"]>[1];
type StreamSimple = NonNullable<ProviderConfig["streamSimple"]>;
type PiStream = ReturnType<StreamSimple>;
type Context = Parameters<StreamSimple>[1];
type Options = Parameters<StreamSimple>[2];
type Message = Awaited<ReturnType<PiStream["result"]>>;
type StreamEvent = PiStream extends AsyncIterable<infer Event> ? Event : never;

/** Length of a streamed piece, and the pause before each, so that streaming can be seen. */
const CHUNK_CHARS = 24;
const CHUNK_PAUSE_MS = 3;

/** Long texts come in longer pieces: never more than this many. */
const MAX_CHUNKS = 2000;

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Makes `offline/scripted` one of pi's models: no key, no network, real tools. */
export function registerScriptedModel(runtime: ModelRuntime): void {
  runtime.registerProvider(SCRIPTED_PROVIDER, {
    name: "Offline demo",
    api: "claxedo-scripted",
    baseUrl: "http://offline.invalid",
    apiKey: "none",
    streamSimple: answer,
    models: [
      {
        id: SCRIPTED_ID,
        name: "Scripted demo model",
        reasoning: false,
        input: ["text", "image"],
        cost: free,
        // So large that no prompt overflows it.
        contextWindow: 1_000_000_000,
        maxTokens: 1_000_000,
      },
    ],
  });
}

function answer(model: Parameters<StreamSimple>[0], context: Context, options: Options): PiStream {
  const stream = new ScriptedStream<StreamEvent, Message>();
  const planned = plan(context.messages);
  const message: Message = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usage(context, planned),
    stopReason: "pending",
    timestamp: Date.now(),
  };
  void speak(stream, message, planned, options?.signal);
  // The class of pi is nominal, and not reachable from here: this one has all that is used of it.
  return stream as unknown as PiStream;
}

async function speak(
  stream: ScriptedStream<StreamEvent, Message>,
  message: Message,
  planned: Plan,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    stream.push({ type: "start", partial: { ...message, content: [] } });
    if (planned.text !== "") await speakText(stream, message, planned.text, signal);
    if (planned.call) await speakCall(stream, message, planned.call, signal);
    finish(stream, message, planned.error);
  } catch (error) {
    const aborted = signal?.aborted === true;
    message.stopReason = aborted ? "aborted" : "error";
    message.errorMessage = aborted ? "Request was aborted" : String(error);
    stream.push({ type: "error", reason: message.stopReason, error: message });
    stream.end(message);
  }
}

function finish(
  stream: ScriptedStream<StreamEvent, Message>,
  message: Message,
  error: string | undefined,
): void {
  if (error !== undefined) {
    message.stopReason = "error";
    message.errorMessage = error;
    stream.push({ type: "error", reason: "error", error: message });
  } else {
    const reason = message.content.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
    message.stopReason = reason;
    stream.push({ type: "done", reason, message });
  }
  stream.end(message);
}

async function speakText(
  stream: ScriptedStream<StreamEvent, Message>,
  partial: Message,
  text: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const contentIndex = partial.content.length;
  const block = { type: "text" as const, text: "" };
  partial.content.push(block);
  stream.push({ type: "text_start", contentIndex, partial });
  for (const delta of chunks(text)) {
    await delay(CHUNK_PAUSE_MS, undefined, signal && { signal });
    block.text += delta;
    stream.push({ type: "text_delta", contentIndex, delta, partial });
  }
  stream.push({ type: "text_end", contentIndex, content: text, partial });
}

async function speakCall(
  stream: ScriptedStream<StreamEvent, Message>,
  partial: Message,
  call: NonNullable<Plan["call"]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const contentIndex = partial.content.length;
  const toolCall = { type: "toolCall" as const, id: call.id, name: call.name, arguments: {} };
  partial.content.push(toolCall);
  stream.push({ type: "toolcall_start", contentIndex, partial });
  for (const delta of chunks(JSON.stringify(call.arguments))) {
    await delay(CHUNK_PAUSE_MS, undefined, signal && { signal });
    stream.push({ type: "toolcall_delta", contentIndex, delta, partial });
  }
  toolCall.arguments = { ...call.arguments };
  stream.push({ type: "toolcall_end", contentIndex, toolCall, partial });
}

/** Pieces of a text. A character outside the basic plane is not cut in two. */
export function* chunks(text: string): Generator<string> {
  const size = Math.max(CHUNK_CHARS, Math.ceil(text.length / MAX_CHUNKS));
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Four characters count as a token. */
function usage(context: Context, planned: Plan): Message["usage"] {
  const chars = context.messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
  const input = Math.ceil(chars / 4);
  const output = Math.ceil((planned.text.length + JSON.stringify(planned.call ?? "").length) / 4);
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    cost: { ...free, total: 0 },
  };
}
