import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type PlayStep, type Recording, frame } from "../src/testing/index.ts";

/** What `case.json` says of a recording. */
interface Case {
  readonly harness: string;
  readonly version: string;
  readonly recorded: string;
  readonly shows: string;
  readonly runs: readonly string[];
  readonly inputs: readonly string[];
}

/** The committed recordings of one adapter. */
export interface Cases {
  readonly caseNames: readonly string[];
  /** One of them, ready to be played. */
  readonly recording: (name: string) => Recording & { readonly case: Case };
}

/**
 * One line of a recording. `p` numbers the processes, `ch` names the channel; `note` lines are the recorder's own:
 * spawns, kills, exits.
 */
export interface RecordedLine {
  readonly t: number;
  readonly dir: string;
  readonly line: unknown;
  readonly p?: number;
  readonly ch?: string;
}

/** Reads an adapter's recordings. `quietMs`: how long a silence that version's driver reports, if it does. */
export function casesOf(
  adapter: string,
  quietMs: (version: string) => number | undefined = () => undefined,
): Cases {
  const folder = join(import.meta.dirname, "../src/adapters", adapter, "fixtures");
  const read = (name: string, file: string): string => readFileSync(join(folder, name, file), "utf8");
  return {
    caseNames: readdirSync(folder).toSorted(),
    recording: (name) => {
      const about = JSON.parse(read(name, "case.json")) as Case;
      const lines = read(name, "recording.jsonl")
        .split("\n")
        .filter((row) => row !== "");
      const steps = stepsOf(
        lines.map((row) => JSON.parse(row) as RecordedLine),
        quietMs(about.version),
      );
      return { name, case: about, runs: about.runs, inputs: about.inputs, steps };
    },
  };
}

/** The recording as if each of its inputs held more than the user handed in. */
export function withHandover({ name, steps }: Recording): Recording {
  const note = { parts: [{ type: "text", text: "own words" }] } as const;
  const noted = steps.map((step) =>
    step.do === "frame" && step.frame.kind === undefined && step.frame.dir === "sent"
      ? frame({ ...step.frame, note })
      : step,
  );
  return { name: `${name}, handed over`, steps: noted };
}

/** Another process is another connection; one that did not exit with 0 was lost, as far as anybody saw it end. */
function stepsOf(lines: readonly RecordedLine[], quietMs: number | undefined): readonly PlayStep[] {
  const steps: PlayStep[] = [];
  let [last, process, spawns] = [0, 0, 0];
  let exit: unknown = "unseen";
  for (const { t, dir, line, p = 0, ch = "" } of lines) {
    if (quietMs !== undefined && t - last > quietMs) {
      steps.push(frame({ kind: "quiet", forMs: quietMs, at: last + quietMs }));
    }
    if (noted(line, "spawn") !== undefined) spawns += 1;
    if (p !== process || (noted(line, "spawn") !== undefined && spawns > 1)) {
      steps.push({ do: "finish", reason: exit === 0 ? "ended" : "lost", at: last }, { do: "begin", at: t });
      exit = "unseen";
    }
    exit = noted(line, "exit") ?? exit;
    [last, process] = [t, p];
    if (dir === "send" || dir === "recv") {
      const payload = payloadOf(line);
      steps.push(frame({ dir: dir === "send" ? "sent" : "received", channel: ch, payload, at: t }));
    }
  }
  return [...steps, { do: "finish", reason: exit === 0 || exit === "unseen" ? "ended" : "lost", at: last }];
}

/** A field of a note; a signal counts as an exit that is not 0. */
function noted(line: unknown, key: "spawn" | "exit"): unknown {
  if (typeof line !== "object" || line === null || !(key in line)) return undefined;
  return (line as Readonly<Record<string, unknown>>)[key] ?? "signal";
}

/** The value of a line; what is no JSON is the text that it is. */
export function payloadOf(line: unknown): unknown {
  if (typeof line !== "string") return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
