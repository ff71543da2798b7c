import { randomUUID } from "node:crypto";
import { CLIError } from "./cli-error.ts";
import type { ControlBody, SentLine } from "./input.ts";
import { type ClaudeMessage, field, textField } from "./messages.ts";

/** A request of the host that waits for its answer. */
interface Waiting {
  readonly subtype: string;
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: CLIError) => void;
}

/** The host's requests to the CLI, each paired with its answer by an id, each with a deadline. */
export class ControlRequests {
  readonly #write: (line: SentLine) => Promise<void>;
  readonly #waiting = new Map<string, Waiting>();

  constructor(write: (line: SentLine) => Promise<void>) {
    this.#write = write;
  }

  /**
   * Asks, and gives what the CLI answers. Rejects with the fault `refused` or `timeout`, or with what
   * `fail` was told.
   */
  async ask(request: ControlBody, timeoutMs: number): Promise<unknown> {
    const id = `req_${randomUUID()}`;
    const { subtype } = request;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { subtype, resolve, reject });
      timer = setTimeout(() => reject(timeout(subtype, timeoutMs)), timeoutMs);
    });
    answer.catch(() => undefined);
    try {
      await Promise.race([this.#write({ type: "control_request", request_id: id, request }), answer]);
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Takes a `control_response`; one that nobody waits for is left. */
  take(message: ClaudeMessage): void {
    const response = field(message, "response");
    const waiting = this.#waiting.get(textField(response, "request_id") ?? "");
    if (waiting === undefined) return;
    if (textField(response, "subtype") === "success") waiting.resolve(field(response, "response"));
    else waiting.reject(refused(waiting.subtype, response));
  }

  /** No answer will come any more. */
  fail(error: CLIError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}

function timeout(subtype: string, afterMs: number): CLIError {
  return new CLIError(
    { kind: "timeout", afterMs },
    `Claude Code did not answer the request "${subtype}" within ${afterMs} ms; close the session if it stays silent.`,
  );
}

function refused(request: string, response: unknown): CLIError {
  const code = textField(response, "error_code");
  const reason = textField(response, "error") ?? "it gave no reason";
  return new CLIError(
    { kind: "refused", request, ...(code === undefined ? undefined : { code }) },
    `Claude Code refused the request "${request}": ${reason}`,
  );
}
