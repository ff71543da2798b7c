/** What a process that listens to signals offers. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  removeListener(signal: NodeJS.Signals, listener: () => void): unknown;
}

const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** How long a last clean-up may take after the second signal, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** Ctrl-C and its relatives: the first asks to stop, the second ends the process. */
export class Interrupts {
  readonly #source: SignalSource;
  readonly #exit: () => void;
  readonly #first = new AbortController();
  readonly #listener = (): void => this.#received();
  #count = 0;
  /** What is still worth doing when the second signal comes. It has a second. */
  lastWords: () => Promise<unknown> = () => Promise.resolve();

  /** Listens at once. `exit` ends the process. */
  constructor(source: SignalSource, exit: () => void) {
    this.#source = source;
    this.#exit = exit;
    for (const signal of signals) source.on(signal, this.#listener);
  }

  /** Aborted by the first signal. */
  get asked(): AbortSignal {
    return this.#first.signal;
  }

  /** Leaves signals to Node again. */
  stop(): void {
    for (const signal of signals) this.#source.removeListener(signal, this.#listener);
  }

  #received(): void {
    this.#count += 1;
    if (this.#count === 1) return this.#first.abort();
    if (this.#count > 2) return this.#exit();
    const timeout = setTimeout(this.#exit, LAST_WORDS_MS);
    const end = (): void => {
      clearTimeout(timeout);
      this.#exit();
    };
    this.lastWords().then(end, end);
  }
}
