import type { Notice } from "./background.ts";
import type { Prompt } from "./lines.ts";

/** What a turn takes up. */
export interface Mail {
  readonly prompts: readonly Prompt[];
  readonly notice?: Notice;
}

/** What waits for a turn: inputs, and word of background tasks that ended. */
export class Mailbox {
  #prompts: Prompt[] = [];
  readonly #notices: Notice[] = [];
  #began = false;

  /** The inputs that wait. */
  get prompts(): readonly Prompt[] {
    return this.#prompts;
  }

  add(prompt: Prompt): void {
    this.#prompts.push(prompt);
  }

  notify(notice: Notice): void {
    this.#notices.push(notice);
  }

  /** For the next turn: one notice, else one input, alone at first and where it is a command, else all that wait. */
  next(): Mail | undefined {
    const notice = this.#notices.shift();
    if (notice !== undefined) return { prompts: [], notice };
    const alone = this.#prompts.findIndex((prompt) => prompt.command || !prompt.query);
    const together = alone < 0 ? this.#prompts.length : Math.max(alone, 1);
    const prompts = this.#prompts.splice(0, this.#began ? together : 1);
    this.#began ||= prompts.length > 0;
    return prompts.length > 0 ? { prompts } : undefined;
  }

  /** For the running turn, at a tool boundary: commands wait on. */
  fold(): readonly Prompt[] {
    const folded = this.#prompts.filter((prompt) => !prompt.command);
    this.#prompts = this.#prompts.filter((prompt) => prompt.command);
    return folded;
  }

  /** Calls off all inputs that wait. */
  cancel(): readonly Prompt[] {
    return this.#prompts.splice(0);
  }
}
