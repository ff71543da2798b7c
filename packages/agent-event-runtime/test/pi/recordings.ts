import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type PlayStep, type Recording, frame } from "../../src/testing/index.ts";

const FIXTURES = join(import.meta.dirname, "../../src/adapters/pi/fixtures");

/** What `case.json` says of a recording. */
export interface Case {
  readonly harness: "pi";
  readonly version: string;
  readonly recorded: string;
  readonly shows: string;
  readonly runs: readonly string[];
  readonly inputs: readonly string[];
}

/** One line of a recording. `note` lines are the recorder's own: spawns, kills and exits. */
interface RecordedLine {
  readonly t: number;
  readonly dir: string;
  readonly line: unknown;
}

/** The names of the committed cases. */
export const caseNames: readonly string[] = readdirSync(FIXTURES).toSorted();

/** One committed case, ready to be played. */
export function recording(name: string): Recording & { readonly case: Case } {
  const about = JSON.parse(readFileSync(join(FIXTURES, name, "case.json"), "utf8")) as Case;
  const text = readFileSync(join(FIXTURES, name, "recording.jsonl"), "utf8");
  return {
    name,
    case: about,
    runs: about.runs,
    inputs: about.inputs,
    steps: stepsOf(text, !about.version.startsWith("1.")),
  };
}

/** Pi 0.73 pronounces its verdict by silence, so its driver reports silence of this many milliseconds. */
const QUIET_MS = 700;

function stepsOf(text: string, quiet: boolean): readonly PlayStep[] {
  const steps: PlayStep[] = [];
  let last = 0;
  let connections = 0;
  for (const row of text.split("\n").filter((line) => line !== "")) {
    const { t, dir, line } = JSON.parse(row) as RecordedLine;
    if (quiet && t - last > QUIET_MS)
      steps.push(frame({ kind: "quiet", forMs: QUIET_MS, at: last + QUIET_MS }));
    last = t;
    if (isSpawn(line)) connections += 1;
    if (isSpawn(line) && connections > 1)
      steps.push({ do: "finish", reason: "lost", at: t }, { do: "begin", at: t });
    if (dir === "send" || dir === "recv") {
      steps.push(
        frame({ dir: dir === "send" ? "sent" : "received", channel: "", payload: payloadOf(line), at: t }),
      );
    }
  }
  return [...steps, { do: "finish", reason: "ended", at: last }];
}

function isSpawn(line: unknown): boolean {
  return typeof line === "object" && line !== null && "spawn" in line;
}

function payloadOf(line: unknown): unknown {
  if (typeof line !== "string") return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
