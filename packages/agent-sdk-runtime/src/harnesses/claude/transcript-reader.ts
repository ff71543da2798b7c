import { createNdjsonDecoder, type NdjsonFault, type NdjsonFrame } from "@claxedo/agent-event-runtime";
import { openRegular } from "../../live/archive/regular-file.ts";
import { field, type ClaudeMessage, readMessage } from "../../live/messages.ts";
import { frameSize } from "./frame-size.ts";

/** Rows of a transcript, and whether they are all there are. */
export interface TranscriptRows {
  readonly rows: readonly ClaudeMessage[];
  /** False when the last line is torn, or there is more than can be kept. */
  readonly complete: boolean;
}

/** The longest row that is read, in bytes; how much is kept of all rows, about. */
const LIMITS = { row: 16 * 1024 * 1024, all: 64 * 1024 * 1024 };

/**
 * The rows of the conversation that a transcript has after so many bytes, in order. Rows of other types
 * (requests to the API, which are most of the file) are left out, and what cannot be read. `undefined` when
 * the file is gone, or shorter than that.
 */
export async function readRows(file: string, from: number): Promise<TranscriptRows | undefined> {
  await using handle = await openRegular(file, "read");
  if (handle === undefined || (await handle.stat()).size < from) return undefined;
  const taken = new TakenRows();
  const decoder = createNdjsonDecoder({ maxLineBytes: LIMITS.row });
  for await (const chunk of handle.createReadStream({ start: from, autoClose: false })) {
    taken.take(decoder.push(chunk as Buffer, 0));
    if (taken.bytes > LIMITS.all) return { rows: taken.rows, complete: false };
  }
  taken.take(decoder.end(0));
  return { rows: taken.rows, complete: taken.sound };
}

/** What was taken so far. */
class TakenRows {
  readonly rows: ClaudeMessage[] = [];
  bytes = 0;
  /** Whether the last line could be read. */
  sound = true;

  take(lines: readonly (NdjsonFrame | NdjsonFault)[]): void {
    for (const line of lines) {
      const row = "payload" in line ? readMessage(line.payload) : undefined;
      this.sound = "payload" in line;
      if (row === undefined || !isTold(row)) continue;
      this.rows.push(row);
      this.bytes += frameSize({ dir: "received", channel: "", payload: row, at: 0 });
    }
  }
}

const TOLD: ReadonlySet<string> = new Set(["user", "assistant", "system"]);

/** Whether a row is of the conversation. An input that was folded into a turn is kept as an attachment. */
function isTold(row: ClaudeMessage): boolean {
  return TOLD.has(row.type) || field(row["attachment"], "type") === "queued_command";
}
