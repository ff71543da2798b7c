/** How often things were asked for, by a key. */
export class Attempts {
  readonly #counts = new Map<string, number>();

  /** How often it was asked for before. Counts this time. */
  next(key: string): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
}
