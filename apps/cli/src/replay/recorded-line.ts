/**
 * One line of a recording: what passed between host and harness (`send`, `recv`), or something about it
 * (`err`, `note` and whatever else a recorder has to say).
 */
export interface RecordedLine {
  /** Milliseconds since the recording, or the process, began. */
  readonly t: number;
  readonly dir: string;
  /** The raw text of the line, or its value. */
  readonly line: unknown;
  /** Which process it was, in recordings of several. */
  readonly p: number | undefined;
  /** The stream it came on; `""` where there is one. */
  readonly ch: string;
}

/** The value as a line of a recording, or `undefined` when it is something else. */
export function recordedLine(value: unknown): RecordedLine | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "line")) return undefined;
  const { t, dir, line, p, ch } = value as Readonly<Record<string, unknown>>;
  if (typeof t !== "number" || typeof dir !== "string") return undefined;
  return { t, dir, line, p: typeof p === "number" ? p : undefined, ch: typeof ch === "string" ? ch : "" };
}
