import {
  type AgentRuntimeEvent,
  type Projection,
  type ProjectionSnapshot,
  type TranscriptRow,
  apply,
  emptyProjection,
  transcript,
} from "@claxedo/agent-event-runtime";
import { elapsed, eventLine } from "../render/event-line.ts";
import { plainLine } from "../render/plain-text.ts";
import type { Paint } from "../render/style.ts";
import { transcriptRow } from "../render/transcript.ts";
import type { ReplayedSession, Telling } from "./replayed-sessions.ts";

/** Makes output of what is told: text as it is to be written, line ends included. */
export interface Lines {
  /** What can be written now. */
  of(telling: Telling): readonly string[];
  /** What could not be written before the end. */
  rest(): readonly string[];
}

/** The events themselves, for people. */
export function eventLines(paint: Paint): Lines {
  const headed = headings(paint);
  return {
    of: ({ session, events }) =>
      headed(
        session,
        events.map((event) => `${eventLine(event, paint, elapsed)}\n`),
      ),
    rest: () => [],
  };
}

/** The events themselves, as JSON. */
export function jsonEvents(): Lines {
  return { of: ({ events }) => events.map(json), rest: () => [] };
}

/**
 * What a projection makes of the events. Rows are written when all is over, as a store would then hold them:
 * each once, in order; other output as it comes.
 */
export function projectedLines(projection: Projection, write: WriteOutput): Lines {
  const views = new Map<ReplayedSession, View>();
  const viewOf = (session: ReplayedSession): View => {
    const view = views.get(session) ?? { snapshot: emptyProjection(projection), rows: new Map() };
    views.set(session, view);
    return view;
  };
  return {
    of: ({ session, events }) =>
      write(
        session,
        events.flatMap((event) => projected(projection, viewOf(session), event)),
      ),
    rest: () =>
      [...views].flatMap(([session, { rows }]) =>
        write(
          session,
          [...rows.values()].toSorted((a, b) => a.ordinal - b.ordinal),
        ),
      ),
  };
}

/** Writes a projection's output about one session. */
export type WriteOutput = (session: ReplayedSession, output: readonly unknown[]) => readonly string[];

/** Output of a projection for people. */
export function outputText(projection: Projection, paint: Paint): WriteOutput {
  const headed = headings(paint);
  const textOf = (output: unknown): string => {
    if (typeof output === "string") return `${output}\n`;
    // The projection of that id is this one, and its rows are these.
    return projection.id === transcript.id ? transcriptRow(output as TranscriptRow, paint) : json(output);
  };
  return (session, output) => headed(session, output.map(textOf));
}

/** Output of a projection as JSON: rows with the session that they are of, lines of text as `line`. */
export const outputJson: WriteOutput = ({ id }, output) =>
  output.map((one) => json({ sessionId: id, ...(typeof one === "object" ? one : { line: one }) }));

interface View {
  snapshot: ProjectionSnapshot;
  readonly rows: Map<string, Row>;
}

interface Row {
  readonly rowId: string;
  readonly ordinal: number;
}

/** Keeps the rows, answers the rest. */
function projected(projection: Projection, view: View, event: AgentRuntimeEvent): readonly unknown[] {
  const { snapshot, output } = apply(projection, view.snapshot, event);
  view.snapshot = snapshot;
  for (const row of output.filter(isRow)) view.rows.set(row.rowId, row);
  return output.filter((one) => !isRow(one));
}

function isRow(output: unknown): output is Row {
  return typeof output === "object" && output !== null && "rowId" in output && "ordinal" in output;
}

/** Puts a heading where the text turns to another session than before. */
function headings(paint: Paint): (session: ReplayedSession, lines: readonly string[]) => readonly string[] {
  let last: ReplayedSession | undefined;
  return (session, lines) => {
    if (lines.length === 0) return [];
    const turns = last !== undefined && last !== session;
    last = session;
    const names = session.nativeIds.map((id) => ` ${plainLine(id, 80)}`).join(",");
    return turns ? [`${paint("bold", `== ${session.id}${names}`)}\n`, ...lines] : lines;
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
