import type { InputPart, WireFrame } from "@claxedo/agent-event-runtime";
import { messageOf } from "../../base/message-of.ts";
import type { PromptRequest } from "../../harness/harness.ts";

/** An image as pi takes it. */
interface PiImage {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** What we tell pi, as read back from a frame. */
export type PiCommand =
  | {
      readonly type: "prompt";
      readonly id: string;
      readonly message: string;
      readonly images: readonly PiImage[];
      readonly handover?: string;
    }
  | { readonly type: "abort"; readonly id: string };

/** The frame of a prompt, in the form of pi's RPC mode, which has no handover. */
export function promptFrame(request: PromptRequest, at: number): WireFrame {
  const { inputId, parts, handover } = request;
  const message = parts.flatMap((part) => (part.type === "image" ? [] : [part.text])).join("\n");
  const images = parts.flatMap(toImage);
  const more = { ...(images.length > 0 && { images }), ...(handover !== undefined && { handover }) };
  const payload = { id: inputId, type: "prompt", message, ...more };
  return { dir: "sent", channel: "", payload, at, note: { inputId } };
}

/** The frame of an abort. */
export function abortFrame(id: string, at: number): WireFrame {
  return { dir: "sent", channel: "", payload: { id, type: "abort" }, at };
}

/** The command in a frame; `undefined` when it is none that we make. */
export function readCommand(frame: WireFrame): PiCommand | undefined {
  if (frame.dir !== "sent" || typeof frame.payload !== "object" || frame.payload === null) return undefined;
  const { type, id, message, images, handover } = frame.payload as Readonly<Record<string, unknown>>;
  if (typeof id !== "string") return undefined;
  if (type === "abort") return { type, id };
  if (type !== "prompt" || typeof message !== "string") return undefined;
  return {
    type,
    id,
    message,
    images: Array.isArray(images) ? images.filter(isImage) : [],
    ...(typeof handover === "string" ? { handover } : undefined),
  };
}

/** pi's answer to a command. */
export function response(command: PiCommand, data?: { readonly disposition: string }): unknown {
  return { id: command.id, type: "response", command: command.type, success: true, ...(data && { data }) };
}

/** pi's refusal of a command. */
export function refusal(command: PiCommand, error: unknown): unknown {
  const text = messageOf(error);
  return { id: command.id, type: "response", command: command.type, success: false, error: text };
}

function toImage(part: InputPart): readonly PiImage[] {
  return part.type === "image" ? [{ type: "image", data: part.data, mimeType: part.mediaType }] : [];
}

function isImage(value: unknown): value is PiImage {
  return typeof value === "object" && value !== null && "data" in value && typeof value.data === "string";
}
