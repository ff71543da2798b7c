import { randomUUID } from "node:crypto";
import type { Line } from "./lines.ts";

const CLOSED = { subtype: "error", error: "Tool permission stream closed before response received" };

/** The CLI's requests to its host, each paired with its answer by an id. */
export class Requests {
  readonly #emit: (line: Line) => void;
  readonly #open = new Map<unknown, (response: unknown) => void>();
  #closed = false;

  constructor(emit: (line: Line) => void) {
    this.#emit = emit;
  }

  /** Asks. When the signal is aborted the request is withdrawn; after the end of input it is denied. */
  async ask(request: object, signal?: AbortSignal): Promise<unknown> {
    const requestId = randomUUID();
    const withdraw = (): void => {
      if (this.#open.delete(requestId)) this.#emit({ type: "control_cancel_request", request_id: requestId });
    };
    this.#emit({ type: "control_request", request_id: requestId, request });
    if (this.#closed) return CLOSED;
    signal?.addEventListener("abort", withdraw);
    const response = await new Promise((resolve) => this.#open.set(requestId, resolve));
    signal?.removeEventListener("abort", withdraw);
    return response;
  }

  /** Takes an answer; one for a request that is not open is ignored. */
  take(response: { readonly request_id: unknown }): void {
    this.#open.get(response.request_id)?.(response);
    this.#open.delete(response.request_id);
  }

  /** Input has ended. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#open.values()) resolve(CLOSED);
    this.#open.clear();
  }
}
