import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { EventAdapter } from "../translation/event-adapter.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { type Recording, play } from "./play.ts";

/** Where golden texts are kept, each under the name of its recording. */
export interface GoldenFiles {
  /** The text, or `undefined` when there is none yet. */
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

/** Recordings whose events are written down. */
export interface GoldenSubject {
  readonly adapter: () => EventAdapter;
  readonly recordings: readonly Recording[];
  readonly files: GoldenFiles;
  /** Writes what is there now instead of comparing with it: behind a switch that a person sets. */
  readonly write?: boolean;
  /** The command that writes, for the message of a case that fails. */
  readonly rewrite?: string;
}

/** One case for each recording: its events are those that are written down. */
export function goldenCases(subject: GoldenSubject): readonly ConformanceCase[] {
  return subject.recordings.map((recording) => ({
    id: `golden-${recording.name}`,
    title: `translates ${recording.name} into the events that are written down`,
    run: () => {
      const text = goldenText(play(subject.adapter(), recording.steps).events);
      if (subject.write === true) subject.files.write(recording.name, text);
      else compare(subject, recording.name, text);
    },
  }));
}

/** Events as text to compare and to review: one a line, `seq` and `type` first, then fields by name. */
export function goldenText(events: readonly AgentRuntimeEvent[]): string {
  return events.map((event) => `${canonical(event, ["seq", "type"])}\n`).join("");
}

function compare({ files, rewrite }: GoldenSubject, name: string, text: string): void {
  const golden = files.read(name);
  const remedy = rewrite === undefined ? "" : ` If that is meant, write it with \`${rewrite}\`.`;
  if (golden === undefined) throw new Error(`${name} has no golden text.${remedy}`);
  if (golden === text) return;
  const [before, now] = [golden.split("\n"), text.split("\n")];
  const line = now.findIndex((one, index) => one !== before[index]);
  const at = line < 0 ? now.length : line;
  throw new Error(
    `${name} differs from its golden text at line ${at + 1}.${remedy}\n- ${before[at] ?? ""}\n+ ${now[at] ?? ""}`,
  );
}

function canonical(value: unknown, first: readonly string[] = []): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonical(item)).join(",")}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const rank = (key: string): string => `${first.includes(key) ? first.indexOf(key) : first.length}${key}`;
  const sorted = entries.toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
