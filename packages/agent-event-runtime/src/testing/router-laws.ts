import fc from "fast-check";
import type { RawFrame } from "../translation/event-adapter.ts";
import type { Router } from "../translation/router.ts";
import { type AdapterSubject, foreignFrames } from "./adapter-subject.ts";
import { type ConformanceCase, runsOf } from "./conformance-case.ts";
import { expectEqual, frozen, thawed } from "./equality.ts";

type RouterSubject = Pick<AdapterSubject, "recordings" | "vocabulary" | "effort">;

/** The laws that hold for a router as well. */
export function routerLaws(subject: RouterSubject, make: () => Router): readonly ConformanceCase[] {
  return [
    { id: "router-total", title: "routes whatever comes", run: () => check(subject, make(), routed) },
    {
      id: "router-pure",
      title: "routes equal frames equally, and never changes its input",
      run: () => check(subject, make(), again),
    },
    {
      id: "router-resumable",
      title: "goes on the same from a state that went through JSON",
      run: () => check(subject, make(), resumed),
    },
  ];
}

type Look = (router: Router, state: Router["initialState"], frame: RawFrame) => Router["initialState"];

const routed: Look = (router, state, frame) => router.route(state, frame).state;

const again: Look = (router, state, frame) => {
  const [before, given] = [frozen(state), frozen(frame)];
  const first = router.route(before, given);
  expectEqual(router.route(before, given), first, "the same frame routed again");
  return first.state;
};

const resumed: Look = (router, state, frame) => {
  const next = router.route(state, frame);
  expectEqual(router.route(thawed(state), frame), next, "a frame routed after a way through JSON");
  return next.state;
};

function check(subject: RouterSubject, router: Router, look: Look): void {
  const through = (frames: readonly RawFrame[]): void => {
    let state = router.initialState;
    for (const frame of frames) state = look(router, state, frame);
  };
  for (const { steps } of subject.recordings) {
    through(steps.flatMap((step) => (step.do === "frame" ? [step.frame] : [])));
  }
  fc.assert(
    fc.property(fc.array(foreignFrames(subject), { maxLength: 60 }), through),
    runsOf(subject.effort),
  );
}
