import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";
import { byKey, chosen } from "./chosen.ts";
import type { ModelBlock, ModelReply, ModelStep, Reply, StopReason } from "./model-step.ts";

const HOUR_MS = 3_600_000;

/** Characters of one text block: above this the process would have no room for the copies. */
const MAX_TEXT = 64 * 1024 * 1024;

const yes = z.literal(true);
const name = z.string().min(1);
const maybeText = z.string().exactOptional();
const milliseconds = z.int().min(0).max(HOUR_MS);
const count = z.int().min(0).exactOptional();
const anything = z.record(z.string(), z.unknown());

const pace = { paceMs: milliseconds.exactOptional(), chunk: z.int().min(1).exactOptional() };
const before = { delayMs: milliseconds.exactOptional(), gate: name.exactOptional() };

const text = z
  .strictObject({ text: z.string(), repeat: z.int().min(1).exactOptional(), ...pace })
  .refine((block) => block.text.length * (block.repeat ?? 1) <= MAX_TEXT, {
    error: `A text block has at most ${MAX_TEXT} characters.`,
  });

const tool = z
  .strictObject({
    tool: name,
    input: anything.exactOptional(),
    rawInput: maybeText,
    id: name.exactOptional(),
    ...pace,
  })
  .refine((block) => block.input === undefined || block.rawInput === undefined, {
    error: "A tool call has either input or rawInput.",
  });

const block: z.ZodType<ModelBlock> = byKey<ModelBlock>("A block", {
  text,
  thinking: z.strictObject({ thinking: z.string(), signature: maybeText, ...pace }),
  redacted: z.strictObject({ redacted: z.string() }),
  tool,
  block: z.strictObject({ block: z.looseObject({ type: name }) }),
  delayMs: z.strictObject({ delayMs: milliseconds }),
  gate: z.strictObject({ gate: name }),
  ping: z.strictObject({ ping: yes }),
  raw: z.strictObject({ raw: z.string(), encoding: z.enum(["utf8", "base64"]).exactOptional() }),
  errorEvent: z.strictObject({ errorEvent: z.strictObject({ type: maybeText, message: maybeText }) }),
  cut: z.strictObject({ cut: yes }),
  end: z.strictObject({ end: yes }),
});

const stopReason: z.ZodType<StopReason> = z.enum([
  "end_turn",
  "max_tokens",
  "model_context_window_exceeded",
  "pause_turn",
  "refusal",
  "stop_sequence",
  "tool_use",
]);

const usage = z.strictObject({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const headers = z
  .record(z.string(), z.string())
  .superRefine((fields, context) => {
    for (const [field, value] of Object.entries(fields))
      try {
        validateHeaderName(field);
        validateHeaderValue(field, value);
      } catch (error) {
        context.addIssue({ code: "custom", path: [field], message: String(error) });
      }
  })
  .exactOptional();

const message = z.strictObject({
  blocks: z.array(block),
  stopReason: stopReason.exactOptional(),
  usage: usage.exactOptional(),
  model: name.exactOptional(),
  headers,
  ...before,
  ...pace,
});

const failure = z.strictObject({
  error: z.strictObject({
    status: z.int().min(400).max(599),
    type: maybeText,
    message: maybeText,
    headers,
  }),
  ...before,
});

const cut = z.strictObject({ cut: yes, ...before });
const hang = z.strictObject({ hang: yes, ...before });

const reply: z.ZodType<ModelReply> = shortOr(
  byKey<Reply>("A reply", { blocks: message, error: failure, cut, hang }),
);

const fail = z.array(reply).exactOptional();

const step: z.ZodType<ModelStep> = shortOr(
  byKey<Exclude<ModelStep, string | readonly ModelBlock[]>>("A step", {
    blocks: message.extend({ fail }),
    error: failure.extend({ fail }),
    cut: cut.extend({ fail }),
    hang: hang.extend({ fail }),
  }),
);

/** What a script is: at least one step. */
export const stepsSchema: z.ZodType<readonly ModelStep[]> = z.array(step).min(1);

/** Scripts by their names. */
export const scriptsSchema: z.ZodType<Readonly<Record<string, readonly ModelStep[]>>> = z
  .record(z.string(), stepsSchema)
  .superRefine((scripts, context) => {
    for (const key of Object.keys(scripts))
      if (!/^[\w.-]+$/u.test(key))
        context.addIssue({
          code: "custom",
          path: [key],
          message: "A name has letters, digits and _ . - alone.",
        });
  });

/** A string, a list of blocks, or what is written out. */
function shortOr<Long>(long: z.ZodType<Long>): z.ZodType<string | readonly ModelBlock[] | Long> {
  const blocks = z.array(block);
  return chosen<string | readonly ModelBlock[] | Long>((value) =>
    typeof value === "string" ? z.string() : Array.isArray(value) ? blocks : long,
  );
}
