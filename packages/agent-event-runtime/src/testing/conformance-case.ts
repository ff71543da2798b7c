/** One promise of a contract, ready to be put to the test by any runner: `test(title, run)`. */
export interface ConformanceCase {
  /** Stays the same from version to version, so that lists of known faults can name it. */
  readonly id: string;
  /** What the realization does, as a sentence in the present. */
  readonly title: string;
  /** Makes everything it needs afresh. Throws when the promise is broken. */
  readonly run: () => void;
}

/** How thorough the generated parts of a kit are. */
export interface Effort {
  /** Generated examples for each property; default 150. */
  readonly examples?: number;
  /** Makes the generated examples the same again: a failure names the seed it came from. */
  readonly seed?: number;
}

/** The effort as the generator of examples takes it; `share` is this property's part of it. */
export function runsOf(effort: Effort | undefined, share = 1): { numRuns: number; seed?: number } {
  const numRuns = Math.max(1, Math.round((effort?.examples ?? 150) * share));
  return { numRuns, ...(effort?.seed === undefined ? undefined : { seed: effort.seed }) };
}
