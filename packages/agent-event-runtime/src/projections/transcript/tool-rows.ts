import type { EventOf } from "../../event/agent-runtime-event.ts";
import type { ToolRow } from "./rows.ts";
import {
  type TranscriptState,
  type TranscriptStep,
  close,
  frameOf,
  keep,
  openRow,
  quietly,
  wholeFrameOf,
  write,
} from "./transcript-state.ts";

function rowIdOf(callId: string): string {
  return `tool:${callId}`;
}

/** A tool call opens. */
export function toolStarted(state: TranscriptState, event: EventOf<"tool.started">): TranscriptStep {
  const { callId, name, kind, title, input, locations } = event;
  const row: ToolRow = {
    ...frameOf(event, rowIdOf(callId)),
    type: "tool",
    callId,
    name,
    toolKind: kind,
    ...(title === undefined ? undefined : { title }),
    ...(input === undefined ? undefined : { input }),
    ...(locations === undefined ? undefined : { locations }),
  };
  return quietly(keep(state, row));
}

/** What is known of the call is replaced. */
export function toolUpdated(state: TranscriptState, event: EventOf<"tool.updated">): TranscriptStep {
  const row = openRow(state, rowIdOf(event.callId), "tool");
  if (row === undefined) return quietly(state);
  const { title, input, output, locations } = event;
  return quietly(
    keep(state, {
      ...row,
      ...(title === undefined ? undefined : { title }),
      ...(input === undefined ? undefined : { input }),
      ...(output === undefined ? undefined : { output }),
      ...(locations === undefined ? undefined : { locations }),
    }),
  );
}

/** Output grows. */
export function toolOutput(state: TranscriptState, event: EventOf<"tool.output.delta">): TranscriptStep {
  const row = openRow(state, rowIdOf(event.callId), "tool");
  return quietly(
    row === undefined ? state : keep(state, { ...row, output: (row.output ?? "") + event.text }),
  );
}

/** The call is over. */
export function toolEnded(state: TranscriptState, event: EventOf<"tool.ended">): TranscriptStep {
  const row = openRow(state, rowIdOf(event.callId), "tool");
  if (row === undefined) return quietly(state);
  const { outcome, output, exitCode, durationMs } = event;
  const ended = {
    ...row,
    outcome,
    ...(output === undefined ? undefined : { output }),
    ...(exitCode === undefined ? undefined : { exitCode }),
    ...(durationMs === undefined ? undefined : { durationMs }),
  };
  return close(state, ended, event.time);
}

/** The row of the call is written and gone, so its correction is a row of its own. */
export function toolAmended(state: TranscriptState, event: EventOf<"tool.amended">): TranscriptStep {
  const { callId, outcome, output } = event;
  return write(state, {
    ...wholeFrameOf(event, `amendment:${callId}:${event.seq}`),
    type: "amendment",
    callId,
    outcome,
    ...(output === undefined ? undefined : { output }),
  });
}

/** A file changed. */
export function fileChanged(state: TranscriptState, event: EventOf<"file.changed">): TranscriptStep {
  const { path, change, diff, callId } = event;
  return write(state, {
    ...wholeFrameOf(event, `file:${event.seq}`),
    type: "file",
    path,
    change,
    ...(diff === undefined ? undefined : { diff }),
    ...(callId === undefined ? undefined : { callId }),
  });
}
