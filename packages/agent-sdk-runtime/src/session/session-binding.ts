import type { Json } from "@claxedo/agent-event-runtime";

/** What is stored of a session's connections: where the next one goes on. */
export interface SessionBinding {
  /** What the last connection gave. */
  readonly current: Json;
  /** That session of the harness has not been handed what came after this seq. Absent when it knows all. */
  readonly unknownAfter?: number;
  /** The session of the harness before that one, and the last seq of its time. Counts until a turn completes in the new one. */
  readonly former?: FormerBinding;
}

/** A session of the harness that was left for another. */
interface FormerBinding {
  readonly binding: Json;
  readonly seq: number;
}

/** A stored binding. One of another form is for the harness to judge, as what a connection gave. */
export function readBinding(value: Json | undefined): SessionBinding | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value) || value["current"] === undefined) return { current: value };
  const { current, unknownAfter } = value;
  const former = readFormer(value["former"]);
  return {
    current,
    ...(isSeq(unknownAfter) ? { unknownAfter } : undefined),
    ...(former === undefined ? undefined : { former }),
  };
}

/** The binding as it is stored. */
export function storedBinding({ current, unknownAfter, former }: SessionBinding): Json {
  return {
    current,
    ...(unknownAfter === undefined ? undefined : { unknownAfter }),
    ...(former === undefined ? undefined : { former: { ...former } }),
  };
}

function readFormer(value: Json | undefined): FormerBinding | undefined {
  if (!isRecord(value)) return undefined;
  const { binding, seq } = value;
  return binding === undefined || !isSeq(seq) ? undefined : { binding, seq };
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSeq(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
