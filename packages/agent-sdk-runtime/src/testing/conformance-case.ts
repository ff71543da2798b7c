/** One promise of a contract, ready to be put to the test by any runner: `test(title, run)`. */
export interface ConformanceCase {
  /** Stays the same from version to version, so that lists of known faults can name it. */
  readonly id: string;
  /** What the realization does, as a sentence in the present. */
  readonly title: string;
  /** Makes everything it needs afresh, and closes it. Rejects when the promise is broken. */
  readonly run: () => Promise<void>;
}
