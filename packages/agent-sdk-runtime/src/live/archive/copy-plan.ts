/** A file as it is found. Time in milliseconds since the epoch. */
export interface FoundFile {
  /** In bytes, as far as it is to be copied. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A copy as it is found. It has the modification time of the file it was made of. */
export interface FoundCopy extends FoundFile {
  /** When that time was put on it: the last thing done to a copy. */
  readonly ctimeMs: number;
}

/**
 * - `keep`: nothing is new.
 * - `extend`: if the copy is what the file begins with, append the rest, which may be nothing; else renew.
 * - `renew`: copy the whole file.
 */
export type CopyPlan = "keep" | "extend" | "renew";

/** What file is copied how. */
export interface CopyRule {
  /** Whether the file is written at its end, so that a part of it is of use. */
  readonly grows: boolean;
  /** Whether the file is larger than what is copied of it. */
  readonly cut: boolean;
}

/** Within this time two changes of a file can bear the same time, in milliseconds. The coarsest is FAT. */
const CLOCK_STEP_MS = 2_000;
/** A time that was put on a copy has lost what is below the microsecond. */
const TIME_LOSS_MS = 0.01;

/** What to do about a copy, by what can be had without reading. */
export function planCopy(file: FoundFile, copy: FoundCopy | undefined, rule: CopyRule): CopyPlan {
  if (copy === undefined || file.size < copy.size) return "renew";
  const sameTime = Math.abs(file.mtimeMs - copy.mtimeMs) < TIME_LOSS_MS;
  if (file.size > copy.size) return rule.grows ? "extend" : "renew";
  if (!sameTime) return rule.cut ? "extend" : "renew";
  return copy.ctimeMs - file.mtimeMs > CLOCK_STEP_MS ? "keep" : "extend";
}
