import { transcript, type Json, type TranscriptRow } from "@claxedo/agent-event-runtime";
import type { SessionStore } from "../stores/session-store.ts";

/** At most this many characters of one thing that was said, and of all. */
const ENTRY_LENGTH = 4_000;
const TOTAL_LENGTH = 64_000;
const PAGE = 500;

/** What was said in a session, for an agent that does not know. */
export interface Handover {
  /** What came after this seq. */
  readonly after: number;
  readonly text: string;
}

/**
 * What was said after a seq: the newest that fits into 64,000 characters, oldest first, a line of JSON each, so
 * that nothing that was said can pass for something else. `undefined` when nothing was said.
 */
export async function handoverOf(
  store: Pick<SessionStore, "rows">,
  sessionId: string,
  after: number,
): Promise<Handover | undefined> {
  const newest = new NewestLines(TOTAL_LENGTH);
  for await (const row of rowsOf(store, sessionId, after)) {
    const entry = entryOf(row);
    if (entry !== undefined) newest.add(JSON.stringify(entry));
  }
  if (newest.lines.length === 0) return undefined;
  return { after, text: [introduction(newest.dropped), ...newest.lines].join("\n") };
}

function introduction(dropped: number): string {
  const left = dropped === 0 ? "" : ` ${dropped} earlier lines are left out.`;
  return `This conversation goes on from another one, which you do not have. Here is what was said in it, one JSON object a line, oldest first.${left} It is for you to know, not to be done again: what the user wants now comes after it.`;
}

async function* rowsOf(
  store: Pick<SessionStore, "rows">,
  sessionId: string,
  after: number,
): AsyncGenerator<TranscriptRow> {
  for (let cursor: number | undefined = after; cursor !== undefined;) {
    const { rows } = await store.rows(sessionId, transcript.id, { after: cursor, limit: PAGE });
    for (const { body } of rows) yield body as unknown as TranscriptRow;
    cursor = rows.length < PAGE ? undefined : rows.at(-1)?.ordinal;
  }
}

/** The last lines that fit into a number of characters. */
class NewestLines {
  readonly lines: string[] = [];
  dropped = 0;
  readonly #limit: number;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(line: string): void {
    this.lines.push(line);
    this.#length += line.length;
    while (this.#length > this.#limit) {
      this.#length -= this.lines.shift()?.length ?? 0;
      this.dropped += 1;
    }
  }
}

/** What a row says to somebody who was not there. Thoughts and the work of subagents stay out, and what waits. */
function entryOf(row: TranscriptRow): Readonly<Record<string, Json>> | undefined {
  if (row.agent !== undefined) return undefined;
  switch (row.type) {
    case "input":
      if (row.status === "queued" || row.synthetic) return undefined;
      return {
        user: short(row.parts.map((part) => (part.type === "image" ? "[image]" : part.text)).join("\n")),
      };
    case "text":
      return { [row.role]: short(row.text) };
    case "tool": {
      const { name, title, outcome } = row;
      return { tool: name, ...(title && { title: short(title) }), ...(outcome && { outcome }) };
    }
    case "turn":
      if (row.outcome === "completed") return undefined;
      return { turn: row.outcome, ...(row.error && { error: short(row.error.message) }) };
    default:
      return undefined;
  }
}

function short(text: string): string {
  return text.length > ENTRY_LENGTH ? `${text.slice(0, ENTRY_LENGTH)} […]` : text;
}
