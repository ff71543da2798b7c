import { EventEmitter, once } from "node:events";
import type { RequestRule } from "../choice/rule.ts";
import type { Received } from "./received.ts";

/** A request that was made, and what became of it. */
export interface ModelRequest extends Omit<Received, "text"> {
  /** Counted from 1, in the order in which requests were complete. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Why it was answered as it was. */
  readonly rule: RequestRule;
  /**
   * `open` while the reply is on its way, `answered` once it was sent to its end, `cut` when the server cut it (a
   * script wanted so, or the server was closed), `aborted` when the client went away before.
   */
  readonly outcome: "open" | "answered" | "cut" | "aborted";
  /** The gate that the reply waits at now. */
  readonly gate?: string | undefined;
}

/** A request in the log. */
export interface LoggedRequest {
  readonly request: ModelRequest;
  /** Changes it, and wakes those who wait. */
  change(change: Partial<Pick<ModelRequest, "outcome" | "gate">>): void;
}

/** Every request, in order, and those who wait for one. */
export class RequestLog {
  readonly #requests: ModelRequest[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #closing = new AbortController();

  /** The requests so far. The array and what it holds change as things go on. */
  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** Adds a request that was just received. */
  add({ method, path, headers, body }: Received, rule: RequestRule): LoggedRequest {
    const request: ModelRequest = {
      number: this.#requests.length + 1,
      receivedAt: Date.now(),
      method,
      path,
      headers,
      body,
      rule,
      outcome: "open",
    };
    this.#requests.push(request);
    this.#changes.emit("change");
    return {
      request,
      change: (change) => {
        Object.assign(request, change);
        this.#changes.emit("change");
      },
    };
  }

  /**
   * The first request, past or to come, that the predicate accepts; all are looked at whenever one changes.
   * Rejects after the deadline, and when the log is closed.
   */
  async waitFor(predicate: (request: ModelRequest) => boolean, deadlineMs: number): Promise<ModelRequest> {
    const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), this.#closing.signal]);
    for (;;) {
      const found = this.#requests.find(predicate);
      if (found !== undefined) return found;
      try {
        await once(this.#changes, "change", { signal });
      } catch (cause) {
        const why = this.isClosed
          ? "The model server was closed before the request came."
          : `The request did not come within ${deadlineMs} ms.`;
        throw new Error(`${why} ${account(this.#requests)}`, { cause });
      }
    }
  }

  /** Whether it was closed. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Ends every wait. */
  close(): void {
    this.#closing.abort();
  }
}

function account(requests: readonly ModelRequest[]): string {
  if (requests.length === 0) return "There was none at all.";
  const lines = requests.map(
    ({ number, method, path, rule, outcome }) =>
      `${number} ${method} ${path} ${JSON.stringify(rule)} ${outcome}`,
  );
  return ["There were:", ...lines].join("\n");
}
