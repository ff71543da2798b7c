import fc from "fast-check";
import type { Json } from "../base/json.ts";
import { emptySnapshot } from "../translation/runtime-snapshot.ts";
import { type AdapterTrial, faultsIn, stories } from "./adapter-subject.ts";
import { runsOf } from "./conformance-case.ts";
import { expectEqual, frozen, thawed } from "./equality.ts";
import { falsified, hostileValue } from "./frame-arbitraries.ts";
import { type PlayStep, type Played, frame, play, take } from "./play.ts";

/** Every recording comes to the outcomes that it names, and the adapter makes no fault in it. */
export function expected({ adapter, recordings }: AdapterTrial): void {
  for (const { name, steps, runs, inputs } of recordings) {
    const { events } = play(adapter, steps);
    const faults = events.filter((event) => event.type === "diagnostic" && event.code.startsWith("adapter."));
    expectEqual(faults, [], `${name}: faults of the adapter`);
    const ends = events.flatMap((event) =>
      event.type === "run.ended" ? [`${event.outcome} ${event.reason}`] : [],
    );
    const inputEnds = events.flatMap((event) => (event.type === "input.ended" ? [event.outcome] : []));
    if (runs !== undefined) expectEqual(ends, runs, `${name}: runs`);
    if (inputs !== undefined) expectEqual(inputEnds, inputs, `${name}: inputs`);
  }
}

/** Nothing throws, whatever comes. */
export function total(trial: AdapterTrial): void {
  const { adapter, effort } = trial;
  const check = (steps: readonly PlayStep[]): void => {
    expectEqual(faultsIn(play(adapter, steps).events), [], "what the adapter threw");
  };
  for (const { steps } of trial.recordings) check(steps);
  fc.assert(fc.property(stories(trial), check), runsOf(effort));
  fc.assert(
    fc.property(hostileValue, fc.nat(3), (value, version) => {
      adapter.parseState(value as Json, version);
    }),
    runsOf(effort),
  );
  if (trial.recordings.length === 0) return;
  // A damaged state is unusable, or it can be worked with.
  const place = fc.nat();
  fc.assert(
    fc.property(
      fc.constantFrom(...trial.recordings),
      place,
      place,
      hostileValue,
      ({ steps }, cut, path, value) => {
        const at = cut % (steps.length + 1);
        const { snapshot } = play(adapter, steps.slice(0, at));
        const state = falsified(thawed(snapshot.state), path, value) as Json;
        const { events } = play(adapter, steps.slice(at), thawed({ ...snapshot, state }));
        expectEqual(
          faultsIn(events),
          [],
          "what the adapter threw on a damaged state that it took for its own",
        );
      },
    ),
    runsOf(effort, 2),
  );
}

/** Every frame is translated, or known and silent, or a diagnostic. */
export function speaks(trial: AdapterTrial): void {
  const { adapter, recordings, silent, kindOf } = trial;
  for (const { name, steps } of recordings) {
    let before = play(adapter, []);
    for (const step of steps) {
      const next = take(adapter, before.snapshot, step);
      if (step.do === "frame" && isMute(before, next) && !silent.has(kindOf(step.frame))) {
        throw new Error(`${name}: nothing is said of a frame of kind "${kindOf(step.frame)}"`);
      }
      before = next;
    }
  }
  const unknown = fc.oneof(
    fc.string().map((type) => ({ type: `x-${type}` })),
    hostileValue,
  );
  fc.assert(
    fc.property(unknown, fc.constantFrom("sent" as const, "received" as const), (payload, dir) => {
      const { events } = play(adapter, [frame({ dir, channel: "", payload, at: 0 })]);
      if (events.length === 0) throw new Error("nothing is said of a frame that no dialect knows");
    }),
    runsOf(trial.effort),
  );
}

/** A coalesced diagnostic is no event of its own, but it is counted. */
function isMute(before: Played, after: Played): boolean {
  return after.events.length === 0 && after.snapshot.diagnostics === before.snapshot.diagnostics;
}

/** Equal input gives equal output, and input is never changed. */
export function pure(trial: AdapterTrial): void {
  const check = (steps: readonly PlayStep[]): void => {
    let snapshot = emptySnapshot("session");
    for (const step of steps) {
      const [given, before] = [frozen(step), frozen(snapshot)];
      const first = take(trial.adapter, before, given);
      expectEqual(take(trial.adapter, before, given), first, "the same step taken again");
      expectEqual(faultsIn(first.events), [], "what the adapter threw on frozen input");
      snapshot = first.snapshot;
    }
  };
  for (const { steps } of trial.recordings) check(steps);
  fc.assert(fc.property(stories(trial), check), runsOf(trial.effort, 0.25));
}

/**
 * A snapshot that went through JSON goes on the same. Each cut is made between two frames, and one frame is
 * taken on both sides of it: all cuts together show that going on from any of them gives the same events.
 */
export function resumable(trial: AdapterTrial): void {
  const check = (steps: readonly PlayStep[]): void => {
    let snapshot = emptySnapshot("session");
    for (const step of steps) {
      const next = take(trial.adapter, snapshot, step);
      const resumed = take(trial.adapter, thawed(snapshot), step);
      expectEqual(resumed.events, next.events, "events after a way through JSON");
      expectEqual(thawed(resumed.snapshot), thawed(next.snapshot), "the snapshot after a way through JSON");
      snapshot = next.snapshot;
    }
  };
  for (const { steps } of trial.recordings) check(steps);
  fc.assert(fc.property(stories(trial), check), runsOf(trial.effort, 0.25));
}
