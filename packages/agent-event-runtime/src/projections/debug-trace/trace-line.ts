import type { Json } from "../../base/json.ts";
import type { AgentRuntimeEvent } from "../../event/agent-runtime-event.ts";
import type { ErrorInfo, InputPart, Usage } from "../../event/event-values.ts";

/** The longest line, in UTF-16 units: fields that do not fit give way to `…`. */
const LINE_LIMIT = 400;
const WORD_LIMIT = 80;
const TEXT_LIMIT = 100;

/** A piece of a line; what has nothing to say is `undefined`. */
export type Field = string | undefined;

/** One line: when, which, what; where it belongs; and then the fields, as many as there is room for. */
export function line(event: AgentRuntimeEvent, fields: readonly Field[]): string {
  let text = `${clock(event.time)} #${event.seq} ${event.type}`;
  for (const field of [...bearing(event), ...fields]) {
    if (field === undefined) continue;
    if (text.length + 1 + field.length > LINE_LIMIT - 2) return `${text} …`;
    text += ` ${field}`;
  }
  return text;
}

function bearing({ frame, turnId, runId, agent, late, replayed }: AgentRuntimeEvent): readonly Field[] {
  return [
    fact("frame", frame),
    fact("turn", turnId),
    fact("run", runId),
    fact("agent", agent?.join("<")),
    flag("late", late),
    flag("replayed", replayed),
  ];
}

/** `name=value`. The value is in quotes unless it is a plain word. */
export function fact(name: string, value: string | number | undefined): Field {
  return value === undefined ? undefined : `${name}=${word(String(value)) ?? ""}`;
}

/** The name alone, when the flag is set. */
export function flag(name: string, value: boolean | undefined): Field {
  return value === true ? name : undefined;
}

const PLAIN = /^[\w.:/@<+-]{1,80}$/;

/** A value that says itself what it is, such as an outcome. In quotes unless it is a plain word. */
export function word(value: string | undefined): Field {
  return value === undefined || PLAIN.test(value) ? value : quoted(value, WORD_LIMIT);
}

/**
 * Text in quotes, written as in JSON with every character escaped that a terminal would act on or not
 * show. What is too long is cut, and its length stands behind it.
 */
export function quoted(text: string | undefined, limit: number = TEXT_LIMIT): Field {
  if (text === undefined) return undefined;
  let shown = "";
  for (const character of text) {
    const visible = escaped(character);
    if (shown.length + visible.length > limit) return `"${shown}"…(${text.length})`;
    shown += visible;
  }
  return `"${shown}"`;
}

// Control characters, formatting such as text direction, line ends, and halves of surrogate pairs.
const INVISIBLE = /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(character: string): string {
  if (!INVISIBLE.test(character)) return character;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return SHORT.get(character) ?? units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A JSON value as quoted text. */
export function quotedJson(value: Json | undefined): Field {
  return value === undefined ? undefined : quoted(JSON.stringify(value));
}

/** A span of time. */
export function milliseconds(name: string, value: number | undefined): Field {
  return value === undefined ? undefined : `${name}=${Math.round(value)}ms`;
}

/** What a user handed over, as quoted text. */
export function quotedParts(parts: readonly InputPart[]): Field {
  return quoted(parts.map((part) => (part.type === "image" ? `[${part.mediaType}]` : part.text)).join(" "));
}

/** What went wrong. */
export function failure(error: ErrorInfo | undefined): readonly Field[] {
  return [fact("code", error?.code), fact("status", error?.status), quoted(error?.message)];
}

/** Token counts and cost. */
export function spent(usage: Usage | undefined, costUsd: number | undefined): readonly Field[] {
  return [
    fact("in", usage?.inputTokens),
    fact("out", usage?.outputTokens),
    fact("cached", usage?.cacheReadTokens),
    fact("total", usage?.totalTokens),
    fact("usd", costUsd),
  ];
}

// The farthest that a Date reaches from the epoch; beyond it there is no calendar, and the number must do.
const MAX_DATE_MS = 8.64e15;

/** The time as ISO 8601 in UTC. */
export function clock(time: number): string {
  return Math.abs(time) <= MAX_DATE_MS ? new Date(time).toISOString() : String(time);
}
