import { balanced, numbered, small, unique } from "./adapter-book-laws.ts";
import { expected, pure, resumable, speaks, total } from "./adapter-frame-laws.ts";
import type { AdapterSubject, AdapterTrial } from "./adapter-subject.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { routerLaws } from "./router-laws.ts";

/**
 * The laws of translation, put to the test on one adapter: over its recordings as they are, damaged, and
 * mixed with hostile and random frames. What the adapter `supports` decides about the rest.
 */
export function adapterConformance(subject: AdapterSubject): readonly ConformanceCase[] {
  const cases = LAWS.map(({ id, title, check }) => ({
    id,
    title,
    run: () => check({ ...subject, adapter: subject.adapter() }),
  }));
  const makeRouter = subject.supports?.router;
  return makeRouter === undefined ? cases : [...cases, ...routerLaws(subject, makeRouter)];
}

interface Law {
  readonly id: string;
  readonly title: string;
  readonly check: (trial: AdapterTrial) => void;
}

const LAWS: readonly Law[] = [
  { id: "adapter-expected", title: "comes to the outcomes that each recording names", check: expected },
  { id: "adapter-total", title: "throws nothing, whatever comes", check: total },
  {
    id: "adapter-speaks",
    title: "translates each frame, knows it to be silent, or says a diagnostic",
    check: speaks,
  },
  {
    id: "adapter-pure",
    title: "gives equal output for equal input, and never changes its input",
    check: pure,
  },
  {
    id: "adapter-resumable",
    title: "goes on the same from a snapshot that went through JSON, at every frame",
    check: resumable,
  },
  {
    id: "adapter-numbered",
    title:
      "leaves no gap in seq over any mix of frames, ends, beginnings, the host's words and other adapters",
    check: numbered,
  },
  {
    id: "adapter-balanced",
    title: "has ended, once, everything it started when it is finished",
    check: balanced,
  },
  {
    id: "adapter-unique",
    title: "opens no id twice when two recordings are played back to back",
    check: unique,
  },
  {
    id: "adapter-small",
    title: "keeps a state bounded by what is open, however often a recording is played",
    check: small,
  },
];
