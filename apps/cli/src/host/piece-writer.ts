import type { Piece } from "../render/piece.ts";
import type { Console } from "./console.ts";

/** Writes pieces where they belong, in order. While it is held, what would go to a terminal waits. */
export class PieceWriter {
  readonly #console: Console;
  #held: Piece[] | undefined;

  constructor(console: Console) {
    this.#console = console;
  }

  async write(pieces: readonly Piece[]): Promise<void> {
    for (const piece of pieces) {
      if (this.#held !== undefined && this.#output(piece).isTTY) this.#held.push(piece);
      else await this.writeNow(piece);
    }
  }

  /** Writes although it is held. */
  writeNow(piece: Piece): Promise<void> {
    return this.#output(piece).write(piece.text);
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Writes what has waited, and holds nothing any more. */
  async release(): Promise<void> {
    for (let piece = this.#held?.shift(); piece !== undefined; piece = this.#held?.shift())
      await this.writeNow(piece);
    this.#held = undefined;
  }

  #output({ to }: Piece): Console["stdout"] {
    return to === "out" ? this.#console.stdout : this.#console.stderr;
  }
}
