import * as z from "zod";
import { issuesText } from "../script/parse.ts";

/** What is read of the body of a `POST /v1/messages`. */
export interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | undefined;
  readonly tools?: readonly unknown[] | undefined;
  readonly output_config?: { readonly format?: { readonly schema?: unknown } | undefined } | undefined;
}

/** A message of the conversation. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string | undefined }[];
}

const schema: z.ZodType<MessagesBody> = z.looseObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.string(),
        content: z.union([
          z.string(),
          z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
        ]),
      }),
    )
    .min(1),
  stream: z.boolean().optional(),
  tools: z.array(z.unknown()).optional(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).optional() })
    .optional(),
});

/** Reads a body; a string says what is wrong with it. */
export function readMessagesBody(value: unknown): MessagesBody | string {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : issuesText(parsed.error, "body");
}

/** The texts of a user message, in order; none of any other message. Results of tools are no texts. */
export function userTexts({ role, content }: ChatMessage): readonly string[] {
  if (role !== "user") return [];
  if (typeof content === "string") return [content];
  return content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
}
