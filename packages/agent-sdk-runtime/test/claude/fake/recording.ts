import { readFileSync } from "node:fs";

/** A line of a recording: the host's, or the CLI's with its text. */
export type RecordedLine =
  | { readonly by: "host"; readonly line: HostLine }
  | { readonly by: "cli"; readonly text: string };

interface RecordedRow {
  readonly dir: string;
  readonly line: string;
  readonly p?: number;
  /** Where the line is from, if not from the wire. */
  readonly ch?: string;
}

/** A line of the host that a session can send; others are left out. */
export interface HostLine {
  readonly type: "user" | "control_request" | "control_response";
  readonly uuid?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype: string };
  readonly [field: string]: unknown;
}

/** The lines of each process of a recording. Notes, stderr, transcripts and what no session sends are left out. */
export function readRecording(path: string): readonly (readonly RecordedLine[])[] {
  const processes: RecordedLine[][] = [];
  for (const row of readFileSync(path, "utf8")
    .split("\n")
    .filter((each) => each !== "")) {
    const { dir, line, p = 0, ch = "" } = JSON.parse(row) as RecordedRow;
    const lines = (processes[p] ??= []);
    if (dir === "recv" && ch === "") lines.push({ by: "cli", text: line });
    const sent = dir === "send" ? readHostLine(line) : undefined;
    if (sent !== undefined) lines.push({ by: "host", line: sent });
  }
  return processes.map(handshakeFirst);
}

/** With the answer to `initialize` right behind it: a session sends nothing before it has that. */
function handshakeFirst(lines: readonly RecordedLine[]): readonly RecordedLine[] {
  const [first, ...others] = lines;
  if (first?.by !== "host" || first.line.request?.subtype !== "initialize") return lines;
  const id = first.line.request_id;
  const answer = others.find((each) => each.by === "cli" && each.text.includes(`"request_id":"${id}"`));
  return answer === undefined ? lines : [first, answer, ...others.filter((each) => each !== answer)];
}

/** What makes two lines of a host the same but for ids. */
export function kindOf(line: HostLine): string {
  return `${line.type} ${line.request?.subtype ?? ""}`;
}

function readHostLine(text: string): HostLine | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { type, message } = (line ?? {}) as { type?: unknown; message?: { content?: unknown } };
  if (type === "control_request" || type === "control_response") return line as HostLine;
  const isInput = typeof message?.content === "string" || Array.isArray(message?.content);
  return type === "user" && isInput ? (line as HostLine) : undefined;
}
