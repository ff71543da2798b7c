import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { EventAdapter, RawFrame } from "../translation/event-adapter.ts";
import { type RuntimeSnapshot, emptySnapshot } from "../translation/runtime-snapshot.ts";
import { begin, finish, translate } from "../translation/translator.ts";

/** One thing that happens to a session: a frame, the end of a connection, or the beginning of the next. */
export type PlayStep =
  | { readonly do: "frame"; readonly frame: RawFrame }
  | { readonly do: "finish"; readonly reason: "ended" | "lost"; readonly at: number }
  | { readonly do: "begin"; readonly at: number };

/** A recorded story of one session, and what it is expected to come to. */
export interface Recording {
  readonly name: string;
  readonly steps: readonly PlayStep[];
  /** `<outcome> <reason>` of each run, in order of ending. Not checked when absent. */
  readonly runs?: readonly string[];
  /** The outcome of each input, in order of ending. Not checked when absent. */
  readonly inputs?: readonly string[];
}

/** What playing steps led to. */
export interface Played {
  readonly snapshot: RuntimeSnapshot;
  readonly events: readonly AgentRuntimeEvent[];
}

/** Takes one step. */
export function take(adapter: EventAdapter, snapshot: RuntimeSnapshot, step: PlayStep): Played {
  switch (step.do) {
    case "frame":
      return translate(adapter, snapshot, step.frame);
    case "finish":
      return finish(adapter, snapshot, step.reason, step.at);
    case "begin":
      return begin(adapter, snapshot, step.at);
  }
}

/** Takes all steps, from an empty session or from where another play led. */
export function play(
  adapter: EventAdapter,
  steps: readonly PlayStep[],
  from: RuntimeSnapshot = emptySnapshot("session"),
): Played {
  const events: AgentRuntimeEvent[] = [];
  let snapshot = from;
  for (const step of steps) {
    const taken = take(adapter, snapshot, step);
    snapshot = taken.snapshot;
    events.push(...taken.events);
  }
  return { snapshot, events };
}

/** A frame as a step. */
export function frame(raw: RawFrame): PlayStep {
  return { do: "frame", frame: raw };
}

/** A frame that the harness wrote, as a step. */
export function received(payload: unknown, at = 0, channel = ""): PlayStep {
  return frame({ dir: "received", channel, payload, at });
}

/** A frame that the host sends, as a step. */
export function sent(payload: unknown, inputId?: string, at = 0): PlayStep {
  return frame({
    dir: "sent",
    channel: "",
    payload,
    at,
    ...(inputId === undefined ? undefined : { note: { inputId } }),
  });
}
