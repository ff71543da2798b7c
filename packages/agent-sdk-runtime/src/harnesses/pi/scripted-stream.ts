/** The least that an event says: its kind. */
interface StreamEvent {
  readonly type: string;
}

/**
 * Events of one answer of a model, in the shape pi's agent loop consumes: an async iterable that ends, and
 * the final message. (pi's own class is not exported to us.)
 */
export class ScriptedStream<Event extends StreamEvent, Message> implements AsyncIterable<Event> {
  readonly #events: Event[] = [];
  readonly #final: Promise<Message>;
  #settle: (message: Message) => void = () => undefined;
  #wake: () => void = () => undefined;
  #ended = false;

  constructor() {
    this.#final = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Adds an event. */
  push(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  /** Ends the stream with the final message. */
  end(message: Message): void {
    this.#ended = true;
    this.#settle(message);
    this.#wake();
  }

  /** The final message, also of a failed or aborted answer: this never rejects. */
  result(): Promise<Message> {
    return this.#final;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (let next = 0; ; next += 1) {
      while (next === this.#events.length && !this.#ended) await this.#change();
      const event = this.#events[next];
      if (event === undefined) return;
      yield event;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
