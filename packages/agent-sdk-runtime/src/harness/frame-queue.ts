import type { RawFrame } from "@claxedo/agent-event-runtime";

/** How much a connection takes from its harness while nobody reads. */
const QUEUE_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Frames between a harness that pushes and a host that pulls. Nothing is dropped: past the limit the
 * producer is told to wait (`full`, `room()`), which a pipe does by not reading and an in-process harness
 * by awaiting inside its listener. A producer that cannot wait goes over the limit.
 */
export class FrameQueue {
  #frames: RawFrame[] = [];
  #bytes = 0;
  #limit: number;
  #ended = false;
  #readable: PromiseWithResolvers<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(limitBytes: number = QUEUE_LIMIT_BYTES) {
    this.#limit = limitBytes;
  }

  /** Whether the producer should wait for `room()`. */
  get full(): boolean {
    return !this.#ended && this.#bytes >= this.#limit;
  }

  /** Adds a frame of about that many bytes. After the end it is dropped. */
  push(frame: RawFrame, bytes: number): void {
    if (this.#ended) return;
    this.#frames.push(frame);
    this.#bytes += bytes;
    this.#readable?.resolve();
  }

  /** Resolves once there is room again, or nobody is going to make any. */
  async room(): Promise<void> {
    if (!this.full) return;
    this.#room ??= withResolvers();
    await this.#room.promise;
  }

  /** All frames since the last call, waiting for at least one; `undefined` after the end. One reader at a time. */
  async read(): Promise<readonly RawFrame[] | undefined> {
    if (this.#frames.length === 0 && !this.#ended) {
      this.#readable ??= withResolvers();
      await this.#readable.promise;
      this.#readable = undefined;
    }
    if (this.#frames.length === 0) return undefined;
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    this.#makeRoom();
    return frames;
  }

  /** Lets the producer run on without limit, so that it can end while nobody reads. */
  unbound(): void {
    this.#limit = Number.POSITIVE_INFINITY;
    this.#makeRoom();
  }

  /** No more frames: what is queued can still be read, then `read` gives `undefined`. */
  end(): void {
    this.#ended = true;
    this.#readable?.resolve();
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** `Promise.withResolvers`, which the oldest supported type library does not know. */
interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function withResolvers(): PromiseWithResolvers<void> {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
