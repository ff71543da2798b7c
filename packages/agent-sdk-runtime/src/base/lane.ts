/** Runs jobs one after another, in the order they were handed in. A failed job does not stop the next. */
export class Lane {
  #tail: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the job does, once it has had its turn. */
  run<Result>(job: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(job);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
