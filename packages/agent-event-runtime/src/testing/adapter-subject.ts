import fc from "fast-check";
import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { EventAdapter, RawFrame } from "../translation/event-adapter.ts";
import type { Router } from "../translation/router.ts";
import type { Effort } from "./conformance-case.ts";
import { damagedRecording, hostileFrame, randomFrame } from "./frame-arbitraries.ts";
import { type PlayStep, type Recording, frame } from "./play.ts";

/** An adapter with what is needed to put it to the test. */
export interface AdapterSubject {
  /** Makes the adapter; called for every case. */
  readonly adapter: () => EventAdapter;
  /** What the harness really said. They are translated as they are, damaged, and mixed with frames made up. */
  readonly recordings: readonly Recording[];
  /** Names the kind of a frame, such as `response get_state`. */
  readonly kindOf: (frame: RawFrame) => string;
  /** Kinds of frames that may say nothing. */
  readonly silent: ReadonlySet<string>;
  /** Types and fields of the dialect, from which hostile frames are made. */
  readonly vocabulary: { readonly types: readonly string[]; readonly fields: readonly string[] };
  /** Parts of the contract that not every dialect has; cases for the others are left out. */
  readonly supports?: AdapterSupports;
  readonly effort?: Effort;
}

/** The optional parts of a dialect. */
export interface AdapterSupports {
  /** Makes its router: several of its sessions share a connection. */
  readonly router?: () => Router;
}

/** A subject with the one adapter that a case works on. */
export interface AdapterTrial extends Omit<AdapterSubject, "adapter"> {
  readonly adapter: EventAdapter;
}

/** Stories that may happen: recordings with faults in them, and frames of any kind. */
export function stories(
  subject: Pick<AdapterSubject, "recordings" | "vocabulary">,
): fc.Arbitrary<readonly PlayStep[]> {
  const foreign = foreignFrames(subject);
  const made = fc.array(foreign.map(frame), { maxLength: 60 });
  return subject.recordings.length === 0
    ? made
    : fc.oneof(damagedRecording(subject.recordings, foreign), made);
}

/** Frames that nobody recorded. */
export function foreignFrames({ vocabulary }: Pick<AdapterSubject, "vocabulary">): fc.Arbitrary<RawFrame> {
  return fc.oneof(hostileFrame(vocabulary.types, vocabulary.fields), randomFrame);
}

/** The translator catches what an adapter throws; the kit does not let it pass. */
export function faultsIn(events: readonly AgentRuntimeEvent[]): readonly AgentRuntimeEvent[] {
  return events.filter((event) => event.type === "diagnostic" && event.code === "adapter.threw");
}
