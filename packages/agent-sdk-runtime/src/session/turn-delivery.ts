import { randomUUID } from "node:crypto";
import type { EventDraft, InputPart } from "@claxedo/agent-event-runtime";
import { Lane } from "../base/lane.ts";
import { errorInfo } from "./error-info.ts";
import type { HarnessLink } from "./harness-link.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { RunningTurn, SessionState, TurnRecord } from "./session-state.ts";
import { writeCommitted, type SessionWork } from "./session-work.ts";
import { forcedEnds, type ForcedVerdict } from "./turn-machine.ts";

/** Hands to the harness what belongs to the running turn, one thing after another. */
export class TurnDelivery {
  readonly #work: SessionWork;
  readonly #link: HarnessLink;
  readonly #isCancelled: (turnId: string) => boolean;
  readonly #lane = new Lane();
  #delivering: string | undefined;

  constructor(work: SessionWork, link: HarnessLink, isCancelled: (turnId: string) => boolean) {
    this.#work = work;
    this.#link = link;
    this.#isCancelled = isCancelled;
  }

  /** Hands the prompt of the running turn over, unless that was done, or is being done. */
  async deliver({ turn }: SessionState): Promise<void> {
    const unsent = turn?.inputs.some((input) => !input.sent && input.outcome === undefined);
    if (turn === undefined || !unsent || this.#delivering === turn.record.turnId) return;
    this.#delivering = turn.record.turnId;
    await this.#lane.run(() => this.#deliver(turn));
  }

  /**
   * Hands more input into that turn, once its prompt is on its way. Answers the input's id; `undefined` when
   * the turn takes none any more by the time it would be committed.
   */
  steer(turnId: string, parts: readonly InputPart[]): Promise<string | undefined> {
    return this.#lane.run(() => this.#steer(turnId, parts));
  }

  /** What a turn was asked, from the log: a prompt may be megabytes, so nothing else keeps it. */
  async inputOf({ seq }: TurnRecord): Promise<readonly InputPart[]> {
    const { store, session } = this.#work;
    const [event] = await store.events(session.id, { after: seq.queued - 1, limit: 1 });
    if (event?.type === "turn.queued") return event.input;
    throw new Error(`Event ${seq.queued} of session ${session.id} is no turn.queued.`);
  }

  /** Connect, commit the intent, write. */
  async #deliver({ record }: RunningTurn): Promise<void> {
    const { turnId, inputId } = record;
    const connection = await this.#link.connected().catch(async (error: unknown) => {
      const failed = { outcome: "failed", reason: "harness-start-failed", error: errorInfo(error) } as const;
      await this.#work.advance((draft) => forceEnd(draft, turnId, failed));
    });
    if (connection === undefined) return;
    const parts = await this.inputOf(record);
    // A command stands alone: the next prompt will do.
    const handover = parts.some(({ type }) => type === "command") ? undefined : await this.#link.handover();
    const frame = connection.prompt({ turnId, inputId, parts, ...(handover && { handover: handover.text }) });
    const draft = await this.#work.advance((next) => {
      if (!isRunning(next, turnId)) return;
      if (handover !== undefined) next.say(...handedOver(handover.text));
      next.translate(frame);
      this.#link.bind(next, connection, handover);
      // An adapter that does not know its own prompt would leave the turn waiting for ever.
      if (!next.state.turn?.inputs.some((input) => input.sent)) forceEnd(next, turnId, untold);
    });
    if (!isRunning(draft, turnId)) return;
    const failure = await writeCommitted(this.#work, connection, frame, "the prompt");
    if (failure !== undefined && handover !== undefined) this.#link.missed(handover);
  }

  async #steer(turnId: string, parts: readonly InputPart[]): Promise<string | undefined> {
    const { connection } = this.#link;
    if (connection === undefined) return undefined;
    const inputId = `input_${randomUUID()}`;
    const frame = connection.prompt({ turnId, inputId, parts });
    let taken = false;
    await this.#work.advance((draft) => {
      taken = isRunning(draft, turnId) && !this.#isCancelled(turnId) && this.#link.connection === connection;
      if (taken) draft.translate(frame);
    });
    if (!taken) return undefined;
    await writeCommitted(this.#work, connection, frame, "more input");
    return inputId;
  }
}

const untold: ForcedVerdict = {
  outcome: "failed",
  reason: "input-lost",
  error: { message: "The adapter of this harness did not tell of the prompt, so it was not sent." },
};

/** What was said before, as an input that no user typed. No harness tells what comes of it. */
function handedOver(text: string): readonly EventDraft[] {
  const inputId = `input_${randomUUID()}`;
  return [
    { type: "input.sent", inputId, parts: [{ type: "text", text }], synthetic: true },
    { type: "input.ended", inputId, outcome: "unobserved" },
  ];
}

/** Ends that turn by other evidence than the harness's own, if it is still the one that runs. */
export function forceEnd(draft: SessionDraft, turnId: string | undefined, verdict: ForcedVerdict): void {
  const { turn } = draft.state;
  if (turn !== undefined && turn.record.turnId === turnId) draft.say(...forcedEnds(turn, verdict));
}

function isRunning(draft: SessionDraft, turnId: string): boolean {
  return draft.state.turn?.record.turnId === turnId;
}
