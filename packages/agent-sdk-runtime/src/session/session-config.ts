/** How long the runtime waits, in milliseconds. Every wait has one of these. */
export interface Deadlines {
  /** For a harness to start. Default 60,000. */
  readonly connectMs: number;
  /** For a prompt to be taken by the harness. Default 30,000. */
  readonly writeMs: number;
  /** For a word from the harness while no tool runs and no question is open. Default 600,000. */
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
