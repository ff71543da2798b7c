import type { EventOf } from "@claxedo/agent-event-runtime";
import type { SessionDraft } from "./session-draft.ts";
import { owesWord } from "./silence-plan.ts";

/** Watches, from commit to commit, that a harness that owes a word does not keep silent for too long. */
export class SilenceWatch {
  readonly #harness: string;
  readonly #silenceMs: number;
  readonly #onSilence: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #limit: EventOf<"ratelimit.updated"> | undefined;

  /** `onSilence` is told what there is to say of it. */
  constructor(harness: string, silenceMs: number, onSilence: (message: string) => void) {
    this.#harness = harness;
    this.#silenceMs = silenceMs;
    this.#onSilence = onSilence;
  }

  /** Something was committed: the time begins anew, or stands still. */
  look({ state, events, progress }: SessionDraft): void {
    clearTimeout(this.#timer);
    if (events.some((event) => event.type === "turn.started")) this.#limit = undefined;
    this.#limit = events.findLast((event) => event.type === "ratelimit.updated") ?? this.#limit;
    if (!owesWord(state, progress.snapshot.open)) return;
    this.#timer = setTimeout(() => this.#onSilence(this.#message()), this.#silenceMs);
  }

  /** Nothing more is expected. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #message(): string {
    const said = `${this.#harness} said nothing for ${this.#silenceMs} ms`;
    if (this.#limit?.status !== "rejected") return `${said}.`;
    const { resetsAt } = this.#limit;
    const until = resetsAt === undefined ? "" : `, which ends ${dateOf(resetsAt)}`;
    return `${said}: its model provider had refused it by a rate limit${until}.`;
  }
}

// Beyond these a Date has no calendar.
function dateOf(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
