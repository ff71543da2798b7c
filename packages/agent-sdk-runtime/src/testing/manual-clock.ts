/** A clock that stands until it is told to go on: `createAgentRuntime({ now: clock.now })`. */
export interface ManualClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Lets so many milliseconds pass. */
  readonly advance: (ms: number) => void;
}

/** Makes a clock that stands at this time. Timers are not its business: deadlines pass in real time. */
export function manualClock(startMs = 0): ManualClock {
  let time = startMs;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
    },
  };
}
