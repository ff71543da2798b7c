import { parseArgs } from "node:util";

/** What a fuzz run is asked for. */
export interface FuzzOptions {
  readonly minutes: number;
  /** The seed of the first round; the next rounds count on from it. */
  readonly seed: number;
  /** Only cases whose name begins with this, such as `pi` or `pi/adapter-total`. */
  readonly only: string;
}

/** How it is called. */
export const usage =
  "Usage: npm run fuzz -- [--minutes N] [--seed S] [--only NAME]\n" +
  "Puts the laws to the test with ever new seeds until the time is over (1 minute), or until one is broken.\n";

/** The options as given; a TypeError when they make no sense. `anySeed` is the seed when none is given. */
export function fuzzOptions(argv: readonly string[], anySeed: number): FuzzOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...argv], options: { minutes: text, seed: text, only: text } });
  const minutes = Number(values.minutes ?? "1");
  if (!(minutes > 0 && minutes <= MOST_MINUTES))
    throw new TypeError(`--minutes is a number above 0 and up to ${MOST_MINUTES}, not "${values.minutes}".`);
  const seed = Number(values.seed ?? anySeed);
  if (!Number.isInteger(seed) || Math.abs(seed) > MOST_SEED)
    throw new TypeError(`--seed is a whole number of 32 bits, not "${values.seed}".`);
  return { minutes, seed, only: values.only ?? "" };
}

/** A timer of Node takes no more milliseconds than 32 bits hold. */
const MOST_MINUTES = 35_000;
const MOST_SEED = 2 ** 31 - 1;

/** The seed of a round. */
export function seedOf(first: number, round: number): number {
  return (first + round) | 0;
}
