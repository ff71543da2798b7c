import type { ErrorInfo, InputPart, ToolKind, ToolLocation, Usage } from "../../event/event-values.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { toJson } from "../../base/json.ts";
import { field, list, number, record, text } from "../../base/read.ts";
import { combineUsage } from "../../event/usage.ts";

/** The text of a content list (or of a content that is a string), joined. */
export function contentText(message: unknown, separator = ""): string {
  const whole = text(message, "content");
  if (whole !== undefined) return whole;
  return list(message, "content")
    .map((part) => (text(part, "type") === "text" ? text(part, "text") : undefined))
    .filter((part) => part !== undefined)
    .join(separator);
}

/** What a prompt, steer or follow_up command hands over. */
export function inputParts(command: unknown): readonly InputPart[] {
  const message = text(command, "message") ?? "";
  return [
    ...(message === "" ? [] : [{ type: "text", text: message } as const]),
    ...images(list(command, "images")),
  ];
}

/** The images of a content list. */
export function images(parts: readonly unknown[]): readonly Extract<InputPart, { type: "image" }>[] {
  return parts.flatMap((part) => {
    const data = text(part, "data");
    if (data === undefined) return [];
    return [
      { type: "image", mediaType: text(part, "mimeType") ?? "application/octet-stream", data } as const,
    ];
  });
}

/** An outside id as part of one of ours: as it is, unless it is too long to be repeated in every event. */
export function shortId(id: string): string {
  return id.length <= 200 ? id : `~${fingerprint(id)}`;
}

/** The mark of a command's id, which pi echoes with its type; `null` without one. */
export function askOf(payload: unknown): string | null {
  const id = toJson(field(payload, "id"));
  return id === undefined || id === null ? null : shortId(JSON.stringify(id));
}

/** The token counts of an assistant message. Pi fills the counts of a call that failed with zeros. */
export function usageOf(message: unknown): Usage | undefined {
  const usage = record(field(message, "usage"));
  if (usage === undefined || (number(usage, "totalTokens") ?? 0) === 0) return undefined;
  const counts = COUNTS.flatMap(([ours, theirs]) => {
    const count = number(usage, theirs);
    return count === undefined ? [] : [[ours, count] as const];
  });
  return Object.fromEntries(counts);
}

const COUNTS = [
  ["inputTokens", "input"],
  ["outputTokens", "output"],
  ["cacheReadTokens", "cacheRead"],
  ["cacheWriteTokens", "cacheWrite"],
  ["reasoningTokens", "reasoning"],
  ["totalTokens", "totalTokens"],
] as const satisfies readonly (readonly [keyof Usage, string])[];

/** The sum of what is known of both. */
export function addUsage(sum: Usage | null, more: Usage | undefined): Usage | null {
  return more === undefined ? sum : combineUsage(sum ?? {}, more);
}

/** What the message cost, in US dollars, where pi knows the model's prices. */
export function costOf(message: unknown): number | undefined {
  return number(field(field(message, "usage"), "cost"), "total");
}

/** The model as `provider/id`. */
export function modelOf(model: unknown, id: "id" | "model"): string | undefined {
  const name = text(model, id);
  const provider = text(model, "provider");
  return name === undefined || provider === undefined ? name : `${provider}/${name}`;
}

const MAX_ERROR = 4000;

/** An error message, and the HTTP status that providers put in front of it. */
export function errorOf(message: string): ErrorInfo {
  const status = /^(?:error\s+)?([45]\d\d)\b/i.exec(message)?.[1];
  return {
    message: message.slice(0, MAX_ERROR),
    ...(status === undefined ? undefined : { status: Number(status) }),
  };
}

const KINDS: ReadonlyMap<string, ToolKind> = new Map([
  ["bash", "execute"],
  ["read", "read"],
  ["edit", "edit"],
  ["write", "edit"],
  ["grep", "search"],
  ["find", "search"],
  ["ls", "search"],
]);

/** What the tool of that name does. */
export function toolKind(name: string): ToolKind {
  return KINDS.get(name) ?? "other";
}

/** What the arguments of a tool call say to a reader. */
export function describeCall(
  name: string,
  args: unknown,
): { readonly title?: string; readonly locations?: readonly ToolLocation[] } {
  const path = text(args, "path");
  const title = titleOf(name, args, path);
  const line = number(args, "offset");
  const location =
    path === undefined
      ? undefined
      : { path, ...(name === "read" && line !== undefined ? { line } : undefined) };
  return {
    ...(title === undefined ? undefined : { title }),
    ...(location === undefined ? undefined : { locations: [location] }),
  };
}

function titleOf(name: string, args: unknown, path: string | undefined): string | undefined {
  const said = toolKind(name) === "execute" ? text(args, "command") : (text(args, "pattern") ?? path);
  return said?.trimStart().split("\n", 1)[0]?.slice(0, 200);
}
