import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type PlayStep, type Recording, frame } from "../../../src/testing/index.ts";

const FIXTURES = join(import.meta.dirname, "../../../src/adapters/claude/fixtures");

/** What `case.json` says of a recording. */
export interface Case {
  readonly harness: "claude";
  readonly version: string;
  readonly recorded: string;
  readonly shows: string;
  readonly runs: readonly string[];
  readonly inputs: readonly string[];
}

/** One line of a recording. `p` numbers the processes of a scenario that has more than one. */
interface RecordedLine {
  readonly t: number;
  readonly dir: string;
  readonly line: unknown;
  readonly p?: number;
}

/** The names of the committed cases. */
export const caseNames: readonly string[] = readdirSync(FIXTURES).toSorted();

/** One committed case, ready to be played. */
export function recording(name: string): Recording & { readonly case: Case } {
  const about = JSON.parse(readFileSync(join(FIXTURES, name, "case.json"), "utf8")) as Case;
  const text = readFileSync(join(FIXTURES, name, "recording.jsonl"), "utf8");
  return { name, case: about, runs: about.runs, inputs: about.inputs, steps: stepsOf(text) };
}

/** The steps of a recording: another process is another connection. */
function stepsOf(text: string): readonly PlayStep[] {
  const steps: PlayStep[] = [];
  let last = 0;
  let process = 0;
  for (const row of text.split("\n").filter((line) => line !== "")) {
    const { t, dir, line, p = 0 } = JSON.parse(row) as RecordedLine;
    if (p !== process) steps.push({ do: "finish", reason: "lost", at: last }, { do: "begin", at: t });
    process = p;
    last = t;
    if (dir === "send" || dir === "recv") {
      const payload = payloadOf(line);
      steps.push(frame({ dir: dir === "send" ? "sent" : "received", channel: "", payload, at: t }));
    }
  }
  return [...steps, { do: "finish", reason: "ended", at: last }];
}

function payloadOf(line: unknown): unknown {
  if (typeof line !== "string") return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
