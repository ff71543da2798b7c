/** How long the runtime waits, in milliseconds. Every wait has one of these. */
export interface Deadlines {
  /** For a harness to start, or to say what it offers. Default 60,000. */
  readonly connectMs: number;
  /** For a prompt, an answer or a change to be taken by the harness. Default 30,000. */
  readonly writeMs: number;
  /** For a word from a harness that works, while it waits for no tool and no request is open. Default 600,000. */
  readonly silenceMs: number;
  /** From `cancel` to the verdict, whatever the harness does. Default 10,000. */
  readonly cancelMs: number;
  /** For a store that fails to work again. Default 5,000. */
  readonly storeMs: number;
}

/** The deadlines of a host that sets none. */
export const defaultDeadlines: Deadlines = {
  connectMs: 60_000,
  writeMs: 30_000,
  silenceMs: 600_000,
  cancelMs: 10_000,
  storeMs: 5_000,
};
