import type {
  ModelBlock,
  OtherBlock,
  Pace,
  RedactedBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
} from "../script/model-step.ts";
import type { Call } from "./act.ts";
import { pieces } from "./pieces.ts";

/** A block that becomes content of the message. */
export type ContentBlock = TextBlock | ThinkingBlock | RedactedBlock | ToolBlock | OtherBlock;

/** A block that says what happens between the content. */
export type IncidentBlock = Exclude<ModelBlock, ContentBlock>;

/** A content block as the API has it: whole, and as it streams. */
export interface Content {
  readonly whole: Readonly<Record<string, unknown>>;
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: Iterable<Readonly<Record<string, unknown>>>;
  readonly paceMs: number | undefined;
}

/** Whether the block is content. */
export function isContent(block: ModelBlock): block is ContentBlock {
  return "text" in block || "thinking" in block || "redacted" in block || "tool" in block || "block" in block;
}

/** The content that a block stands for; `index` is its place in the message, `pace` the reply's. */
export function contentOf(block: ContentBlock, index: number, call: Call, pace: Pace): Content {
  if ("text" in block) return textContent(block, pace);
  if ("thinking" in block) return thinkingContent(block, pace);
  if ("tool" in block) return toolContent(block, index, call, pace);
  return unbroken("block" in block ? block.block : { type: "redacted_thinking", data: block.redacted });
}

function textContent(block: TextBlock, pace: Pace): Content {
  const text = block.text.repeat(block.repeat ?? 1);
  return {
    whole: { type: "text", text },
    start: { type: "text", text: "" },
    deltas: deltas(text, block.chunk ?? pace.chunk, (piece) => ({ type: "text_delta", text: piece })),
    paceMs: block.paceMs ?? pace.paceMs,
  };
}

function thinkingContent(block: ThinkingBlock, pace: Pace): Content {
  const { thinking, signature = Buffer.from(`signed ${thinking.length}`).toString("base64") } = block;
  return {
    whole: { type: "thinking", thinking, signature },
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: (function* () {
      for (const piece of pieces(thinking, block.chunk ?? pace.chunk))
        yield { type: "thinking_delta", thinking: piece };
      yield { type: "signature_delta", signature };
    })(),
    paceMs: block.paceMs ?? pace.paceMs,
  };
}

function toolContent(block: ToolBlock, index: number, call: Call, pace: Pace): Content {
  const { tool: name, input = {}, id = `toolu_mock_${call.fingerprint}_${index}` } = block;
  const json = block.rawInput ?? JSON.stringify(input);
  return {
    whole: { type: "tool_use", id, name, input: block.rawInput ?? input },
    start: { type: "tool_use", id, name, input: {} },
    deltas: deltas(json, block.chunk ?? pace.chunk, (piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
    paceMs: block.paceMs ?? pace.paceMs,
  };
}

function unbroken(whole: Content["whole"]): Content {
  return { whole, start: whole, deltas: [], paceMs: undefined };
}

function* deltas<Delta>(
  text: string,
  chunk: number | undefined,
  delta: (piece: string) => Delta,
): Generator<Delta> {
  for (const piece of pieces(text, chunk)) yield delta(piece);
}
