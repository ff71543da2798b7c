import type { AgentRuntimeEvent } from "../src/index.ts";
import { type AdapterSubject, play } from "../src/testing/index.ts";
import { claudeSubject } from "./adapters/claude/subject.ts";
import { piSubject } from "./pi/subject.ts";

/** Every adapter that comes with the package, with its recordings. */
export const subjects: readonly AdapterSubject[] = [claudeSubject, piSubject];

/** What the adapters make of every committed recording. */
export function recordedHistories(): readonly RecordedHistory[] {
  return subjects.flatMap(({ adapter, recordings }) =>
    recordings.map(({ name, steps }) => {
      const translator = adapter();
      return { name: `${translator.id} ${name}`, events: play(translator, steps).events };
    }),
  );
}

/** The events of one recording. */
export interface RecordedHistory {
  readonly name: string;
  readonly events: readonly AgentRuntimeEvent[];
}
