import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type EventOf, type RawFrame, claudeAdapter, emptySnapshot } from "../../../src/index.ts";
import { type PlayStep, frame, play } from "../../../src/testing/index.ts";
import { type RecordedLine, payloadOf } from "../../recordings.ts";
import { only } from "./said.ts";

/** What passed between the host and one process of the CLI. */
export type Process = readonly RawFrame[];

/** A recording, with its processes in order of their starts. */
interface ProcessRecording {
  readonly name: string;
  readonly processes: readonly Process[];
}

const COMMITTED = join(import.meta.dirname, "../../../src/adapters/claude/fixtures");

/** The committed recordings, by the names that they have without their version. */
export function committed(): readonly ProcessRecording[] {
  return readdirSync(COMMITTED).map((folder) => ({
    name: folder.replace(/^[\d.]+-/, ""),
    processes: processesIn(join(COMMITTED, folder, "recording.jsonl")),
  }));
}

/** The recordings `NAME.jsonl` of a folder. */
export function recordingsIn(folder: string): readonly ProcessRecording[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => ({ name: file.replace(/\.jsonl$/, ""), processes: processesIn(join(folder, file)) }));
}

function processesIn(file: string): readonly Process[] {
  const processes = new Map<number, RawFrame[]>();
  for (const row of readFileSync(file, "utf8").split("\n")) {
    if (row.trim() === "") continue;
    const { t, dir, line, p = 0, ch = "" } = JSON.parse(row) as RecordedLine;
    if (dir !== "send" && dir !== "recv") continue;
    const known = processes.get(p) ?? [];
    processes.set(p, known);
    known.push({ dir: dir === "send" ? "sent" : "received", channel: ch, payload: payloadOf(line), at: t });
  }
  return [...processes].toSorted(([one], [other]) => one - other).map(([, frames]) => frames);
}

/**
 * What a process came to. Runs in order of their starts, as `<origin> <outcome> <reason>` and the stop reason
 * where the CLI told one; inputs in order of sending, as their outcome and ` in <n>` for the run that they joined.
 */
export interface Outcomes {
  readonly runs: readonly string[];
  readonly inputs: readonly string[];
}

/** What the adapter makes of each process, one connection after another. What is open at its end is lost. */
export function outcomesOf(processes: readonly Process[]): readonly Outcomes[] {
  let snapshot = emptySnapshot("session");
  return processes.map((frames) => {
    const steps: readonly PlayStep[] = [
      { do: "begin", at: 0 },
      ...frames.map(frame),
      { do: "finish", reason: "lost", at: 0 },
    ];
    const played = play(claudeAdapter, steps, snapshot);
    snapshot = played.snapshot;
    const runs = only(played.events, "run.started");
    const joined = only(played.events, "input.joined");
    return {
      runs: runs.map(({ runId, origin }) =>
        `${origin} ${verdict(only(played.events, "run.ended").find((end) => end.runId === runId))}`.trim(),
      ),
      inputs: only(played.events, "input.sent").map(({ inputId }) => {
        const end = only(played.events, "input.ended").find((event) => event.inputId === inputId);
        const run = joined.findLast((event) => event.inputId === inputId)?.runId;
        const index = runs.findIndex(({ runId }) => runId === run);
        return index < 0 ? `${end?.outcome}` : `${end?.outcome} in ${index}`;
      }),
    };
  });
}

function verdict(end: EventOf<"run.ended"> | undefined): string {
  const words = [end?.outcome, end?.reason, end?.stopReason];
  return words.filter((word) => word !== undefined).join(" ");
}
