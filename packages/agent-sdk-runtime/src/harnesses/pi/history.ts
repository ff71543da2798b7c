import { createReadStream } from "node:fs";
import type { Json, WireFrame } from "@claxedo/agent-event-runtime";
import { readBinding } from "./binding.ts";

interface Entry {
  readonly [key: string]: unknown;
}

const TOLD_ROLES: readonly unknown[] = ["user", "assistant", "toolResult"];

/**
 * What pi's session file says of the time since the last prompt: a frame for each message, then one that
 * tells whether the answer was complete. No file: nothing. Lines that cannot be read are left out; the
 * last one may be torn where the process was killed.
 */
export async function readHistory(value: Json): Promise<readonly WireFrame[]> {
  const binding = readBinding(value);
  if (binding === undefined) return [];
  const entries = await entriesAfter(binding.sessionFile, binding.cursor);
  if (entries === undefined) return [];
  const told = entries.filter((entry) => TOLD_ROLES.includes(messageOf(entry)["role"]));
  const complete = isComplete(told.map(messageOf));
  return [
    ...told.map((entry, index) =>
      frame({ type: "message", index, message: entry["message"] }, timeOf(entry)),
    ),
    frame({ type: "end", complete }, Date.now()),
  ];
}

/** The entries after the cursor in the order of the file; `undefined` when there is no such file or cursor. */
async function entriesAfter(file: string, cursor: string | null): Promise<readonly Entry[] | undefined> {
  const entries: Entry[] = [];
  let after = cursor === null;
  try {
    for await (const line of lines(file)) {
      // Most lines before the cursor need not be parsed.
      if (!after && !line.includes(`"${cursor}"`)) continue;
      const entry = parse(line);
      if (after && entry) entries.push(entry);
      after ||= entry?.["id"] === cursor;
    }
  } catch {
    return undefined;
  }
  return after ? entries : undefined;
}

/** Lines end at a line feed only: U+2028 may stand inside of them. */
async function* lines(file: string): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const chunk of createReadStream(file, { encoding: "utf8" })) {
    const [first = "", ...others] = String(chunk).split("\n");
    pieces.push(first);
    for (const other of others) {
      yield pieces.join("");
      pieces = [other];
    }
  }
  yield pieces.join("");
}

function parse(line: string): Entry | undefined {
  try {
    return record(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Entry | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function messageOf(entry: Entry): Entry {
  return (entry["type"] === "message" ? record(entry["message"]) : undefined) ?? {};
}

function isComplete(messages: readonly Entry[]): boolean {
  const last = messages.at(-1);
  if (last?.["role"] !== "assistant" || !messages.some((message) => message["role"] === "user")) return false;
  const stopped = last["stopReason"] === "stop" || last["stopReason"] === "length";
  const content = Array.isArray(last["content"]) ? last["content"] : [];
  return stopped && !content.some((block) => record(block)?.["type"] === "toolCall");
}

function timeOf(entry: Entry): number {
  const time = Date.parse(String(entry["timestamp"]));
  return Number.isFinite(time) ? time : Date.now();
}

function frame(payload: unknown, at: number): WireFrame {
  return { dir: "received", channel: "history", payload, at };
}
