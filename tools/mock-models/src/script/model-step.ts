/**
 * The steps of a script: what the model answers, one step a call. Block and event shapes are those of the
 * Anthropic Messages API (docs: "Streaming Messages").
 */

/** How a block is cut into deltas. What a block says of it comes before what its reply says. */
export interface Pace {
  /** Milliseconds to wait after each delta; 0 by default. */
  readonly paceMs?: number;
  /** Characters of a delta; by default 32, or more, so that a block has no more than 1,000 deltas. */
  readonly chunk?: number;
}

/** Text. */
export interface TextBlock extends Pace {
  readonly text: string;
  /** How often the text is said in this one block; 1 by default. */
  readonly repeat?: number;
}

/** Thinking, with its signature. */
export interface ThinkingBlock extends Pace {
  readonly thinking: string;
  /** A signature made from the thinking by default. */
  readonly signature?: string;
}

/** Redacted thinking: its data, which nobody but the API reads. */
export interface RedactedBlock {
  readonly redacted: string;
}

/** A tool call. A reply with one stops with `tool_use` by default. */
export interface ToolBlock extends Pace {
  /** The tool's name. */
  readonly tool: string;
  /** `{}` by default. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** In place of `input`: what is streamed as its JSON, valid or not. */
  readonly rawInput?: string;
  /** The call's id; by default made from the request and the block's place. */
  readonly id?: string;
}

/** A content block of any other type, sent whole in its `content_block_start`. */
export interface OtherBlock {
  readonly block: { readonly type: string; readonly [key: string]: unknown };
}

/** Waits that many milliseconds. */
export interface DelayBlock {
  readonly delayMs: number;
}

/** Waits until the gate of that name is released, which it then stays. */
export interface GateBlock {
  readonly gate: string;
}

/** A `ping` event. No part of a reply that is not streamed. */
interface PingBlock {
  readonly ping: true;
}

/** Bytes that go into the stream as they are. A reply that is not streamed consists of them alone. */
export interface RawBlock {
  readonly raw: string;
  /** How `raw` writes the bytes; `utf8` by default. */
  readonly encoding?: "utf8" | "base64";
}

/** Ends the reply with an `error` event; where it is not streamed, with an answer of that error. */
export interface ErrorEventBlock {
  readonly errorEvent: {
    /** `overloaded_error` by default. */
    readonly type?: string;
    readonly message?: string;
  };
}

/** Cuts the socket, once everything before has been sent. */
export interface CutBlock {
  readonly cut: true;
}

/** Ends the reply in good order but unfinished: without `message_stop`, or without the JSON's last brace. */
interface EndBlock {
  readonly end: true;
}

/** A part of a message, or what happens between its parts. */
export type ModelBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedBlock
  | ToolBlock
  | OtherBlock
  | DelayBlock
  | GateBlock
  | PingBlock
  | RawBlock
  | ErrorEventBlock
  | CutBlock
  | EndBlock;

/** Why the model stopped, as the API names it. */
export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "model_context_window_exceeded"
  | "pause_turn"
  | "refusal"
  | "stop_sequence"
  | "tool_use";

/** Token counts, as the API names them. */
interface TokenUsage {
  /** 10 by default. */
  readonly input_tokens?: number;
  /** 5 by default. */
  readonly output_tokens?: number;
  /** 0 by default. */
  readonly cache_creation_input_tokens?: number;
  /** 0 by default. */
  readonly cache_read_input_tokens?: number;
}

/** What comes before anything is answered: first the delay, then the gate. */
interface Before {
  readonly delayMs?: number;
  readonly gate?: string;
}

/** Answers with a message: a stream of events where the request asks for one, else a JSON object. */
export interface MessageReply extends Before, Pace {
  readonly blocks: readonly ModelBlock[];
  /** `tool_use` after a tool call, else `end_turn`. */
  readonly stopReason?: StopReason;
  readonly usage?: TokenUsage;
  /** The model that the request names, by default. */
  readonly model?: string;
  /** Headers of the response besides those of every reply. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers with an error of the API. */
export interface ErrorReply extends Before {
  readonly error: {
    /** From 400 to 599. */
    readonly status: number;
    /** The type that the API gives this status, by default. */
    readonly type?: string;
    readonly message?: string;
    /** Such as `{ "retry-after": "1" }`. */
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** Cuts the socket instead of an answer. */
interface CutReply extends Before {
  readonly cut: true;
}

/** Never answers: the client must give up. */
interface HangReply extends Before {
  readonly hang: true;
}

/** A reply written out. */
export type Reply = MessageReply | ErrorReply | CutReply | HangReply;

/** A reply as a script has it: a string is one text block, a list the blocks of a message. */
export type ModelReply = string | readonly ModelBlock[] | Reply;

/** What the first calls of a step are answered: the first of them, then the second, then the step itself. */
interface Failures {
  readonly fail?: readonly ModelReply[];
}

/** What one call of the model is answered. */
export type ModelStep = string | readonly ModelBlock[] | (Reply & Failures);
