import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./store-error.ts";

/** How long SQLite itself waits for a lock, in milliseconds: this blocks the event loop, so it is short. */
export const blockingWaitMs = 10;

const longestPauseMs = 40;

/**
 * Does the work again while another connection is in the way, until `deadline` (a reading of
 * `performance.now()`); then the last error comes through. Timers and pipes run on in between.
 */
export async function patiently<Result>(deadline: number, work: () => Result): Promise<Result> {
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await delay(pause * (0.5 + Math.random() / 2));
  }
}
