import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModelStep } from "@claxedo/mock-models";
import type { Turn } from "../../turn.ts";
import { replyOf, type WrittenReply } from "./directive.ts";

/** What is tried again; other errors are told at once. */
const PASSING: ReadonlySet<number> = new Set([401, 429, 500, 529]);

/** The calls of the model that a turn makes. */
export class ApiCalls {
  readonly #turn: Turn;
  #retries = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** What the model answers to a step in the end; the turn has failed where it is `undefined`. */
  async reply(step: ModelStep): Promise<WrittenReply | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      const reply = replyOf(step, attempt);
      if (reply.gate !== undefined) await passGate(this.#turn, reply.gate);
      if (reply.error === undefined) return reply;
      const { status, message } = reply.error;
      if (PASSING.has(status) && (await this.retry(status))) continue;
      this.#turn.fail(`API Error: ${status} ${message}`, status);
      return undefined;
    }
  }

  /** Tries again until there have been enough retries. */
  async retries(status: number | undefined): Promise<void> {
    while (await this.retry(status));
  }

  /** Whether it is tried once more. */
  async retry(status: number | undefined): Promise<boolean> {
    const most = Number(process.env["CLAUDE_CODE_MAX_RETRIES"] ?? 10);
    if (this.#retries >= most) return false;
    this.#retries += 1;
    this.#turn.cli.emit({
      type: "system",
      subtype: "api_retry",
      attempt: this.#retries,
      max_retries: most,
      retry_delay_ms: 5,
      error_status: status ?? null,
      error: "unknown",
    });
    await this.#turn.pause(5);
    return true;
  }
}

/** Waits until the gate of that name is released: then a file says so. */
export async function passGate(turn: Pick<Turn, "pause">, name: string): Promise<void> {
  while (!existsSync(join(process.env["TMPDIR"] ?? "", `${name}.gate`))) await turn.pause(10);
}
