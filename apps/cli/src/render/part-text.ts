import { PlainText, plainText } from "./plain-text.ts";

/** One text part while it is streamed: turns what comes into what is still to be shown. */
export class PartText {
  readonly #plain = new PlainText();
  #raw = "";

  /** The visible part of a delta. */
  delta(text: string): string {
    this.#raw += text;
    return this.#plain.push(text);
  }

  /** What is missing once the whole text is known. `anew`: the deltas told another text, so this is all of it. */
  end(whole: string): { readonly text: string; readonly anew: boolean } {
    if (!whole.startsWith(this.#raw)) return { text: plainText(whole), anew: true };
    return { text: this.#plain.push(whole.slice(this.#raw.length)), anew: false };
  }
}
