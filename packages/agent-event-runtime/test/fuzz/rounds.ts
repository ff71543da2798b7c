import { type FuzzCase, fuzzCases } from "./cases.ts";
import { seedOf } from "./options.ts";

/** What a worker is to do: rounds without end. */
export interface RoundsToRun {
  readonly seed: number;
  readonly only: string;
  /** Generated examples for each property in each round. */
  readonly examples: number;
}

/** What a worker tells. */
export type FuzzNews =
  | { readonly news: "kept"; readonly name: string; readonly seed: number }
  | { readonly news: "round"; readonly seed: number }
  | { readonly news: "broken"; readonly name: string; readonly seed: number; readonly message: string };

/** Runs every case with one seed after the other, until a case fails or nobody wants to hear more. */
export function* rounds(
  { seed: first, only, examples }: RoundsToRun,
  casesOf: (seed: number) => readonly FuzzCase[] = (seed) => fuzzCases({ examples, seed }, only),
): Generator<FuzzNews> {
  for (let round = 0; ; round += 1) {
    const seed = seedOf(first, round);
    for (const { name, run } of casesOf(seed)) {
      const message = fault(run);
      if (message !== undefined) {
        yield { news: "broken", name, seed, message };
        return;
      }
      yield { news: "kept", name, seed };
    }
    yield { news: "round", seed };
  }
}

function fault(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    // The cause comes first: the message ends with a counterexample of any length.
    return error.cause instanceof Error
      ? `${error.cause.message.slice(0, CAUSE_LIMIT)}\n${error.message}`
      : error.message;
  }
}

const CAUSE_LIMIT = 2_000;
