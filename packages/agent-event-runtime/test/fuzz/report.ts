import type { FuzzNews } from "./rounds.ts";

type Broken = FuzzNews & { readonly news: "broken" };

/** A counterexample may be a whole recording. */
const MESSAGE_LIMIT = 6_000;

/** What is broken, and how to see it again. The message names the path within the seed. */
export function brokenReport({ name, seed, message }: Broken): string {
  const shown =
    message.length > MESSAGE_LIMIT
      ? `${message.slice(0, MESSAGE_LIMIT)}\n… (${message.length - MESSAGE_LIMIT} characters more)`
      : message;
  return `fuzz: ${name} is broken with seed ${seed}\n${shown}\nRun it again: npm run fuzz -- --seed ${seed} --only ${name}\n`;
}

/** How far the run came. */
export interface Progress {
  readonly rounds: number;
  readonly cases: number;
  readonly broken: boolean;
}

/** The last line. */
export function closingReport({ rounds, cases, broken }: Progress, seconds: number): string {
  const verdict = broken ? "a law is broken" : "all laws kept";
  return `fuzz: ${rounds} rounds, ${cases} cases in ${seconds.toFixed(0)} s: ${verdict}\n`;
}
