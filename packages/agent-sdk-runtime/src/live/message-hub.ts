/** What a hub tells of itself. */
export interface HubOptions {
  /** How many messages wait for one reader at most; beyond that its oldest are dropped. */
  readonly buffer: number;
  /** Messages were dropped for one reader. */
  readonly onDrop: (count: number) => void;
}

/**
 * Fans messages out to any number of readers, each with a sliding buffer of its own: a slow reader loses
 * its oldest messages, and nothing waits for anybody. After the end what is buffered is still delivered.
 */
export class MessageHub<Message> implements AsyncIterable<Message> {
  readonly #options: HubOptions;
  readonly #readers = new Set<Reader<Message>>();
  #ended = false;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Hands a message to every reader. */
  publish(message: Message): void {
    for (const reader of this.#readers) {
      if (reader.push(message, this.#options.buffer)) this.#options.onDrop(1);
    }
  }

  /** No more messages will come. */
  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  /** A reader of what is published from now on. Leaving its loop ends it. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    const reader = new Reader<Message>();
    if (this.#ended) reader.end();
    else this.#readers.add(reader);
    return {
      next: () => reader.next(),
      return: () => {
        this.#readers.delete(reader);
        reader.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

/** Past this many read messages the buffer is cut back: taking from the front of an array costs its length. */
const CUT_AT = 1024;

class Reader<Message> {
  #messages: (Message | undefined)[] = [];
  #first = 0;
  #ended = false;
  #waiting: (() => void)[] = [];

  /** Whether the oldest message was dropped for it. */
  push(message: Message, limit: number): boolean {
    this.#messages.push(message);
    const dropped = this.#messages.length - this.#first > limit;
    if (dropped) this.#take();
    this.#wake();
    return dropped;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    while (this.#first === this.#messages.length) {
      if (this.#ended) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return { done: false, value: this.#take() };
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #take(): Message {
    const message = this.#messages[this.#first] as Message;
    this.#messages[this.#first] = undefined;
    this.#first += 1;
    if (this.#first === this.#messages.length || this.#first >= CUT_AT) {
      this.#messages = this.#messages.slice(this.#first);
      this.#first = 0;
    }
    return message;
  }
}
