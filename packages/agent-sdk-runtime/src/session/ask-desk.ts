import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { type AskReply, type AskRequest, answerTo } from "./ask-reply.ts";
import { errorInfo } from "./error-info.ts";
import type { HarnessLink } from "./harness-link.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { AskRecord } from "./session-state.ts";
import { writeCommitted, type SessionWork } from "./session-work.ts";
import type { ForcedVerdict } from "./turn-machine.ts";

/** What becomes of a request of the harness when no person answers: it waits, or is refused at once. */
export type AskPolicy = "park" | "deny";

/** What an ask desk is made with. */
export interface AskDeskOptions {
  readonly policy: AskPolicy;
  /** Ends a harness that waits for an answer it cannot get, and with it the turn. */
  readonly onUnanswerable: (verdict: ForcedVerdict) => Promise<void>;
}

/** Takes answers to what the harness asks: the first one wins. */
export class AskDesk {
  readonly #work: SessionWork;
  readonly #link: HarnessLink;
  readonly #options: AskDeskOptions;

  constructor(work: SessionWork, link: HarnessLink, options: AskDeskOptions) {
    this.#work = work;
    this.#link = link;
    this.#options = options;
  }

  /**
   * Answers an open request: committed, then handed over. Rejects with `ask-not-found`, `ask-ended`,
   * `invalid-input`, `not-supported`, or `harness-failed` when the harness could not be told.
   */
  async answer(
    kind: AskRecord["kind"],
    requestId: string,
    reply: AskReply,
    by: "user" | "policy" = "user",
  ): Promise<void> {
    const request = await this.#request(kind, requestId);
    const { connection } = this.#link;
    if (connection === undefined) throw askEnded(requestId, "its harness is gone");
    const { harness } = this.#work;
    if (connection.answer === undefined)
      throw new AgentRuntimeError("not-supported", `Answers cannot be handed to ${harness.id}.`);
    const answer = answerTo(request, reply);
    const frame = connection.answer({ requestId, native: request.native, by, answer });
    await this.#work.advance((draft) => {
      if (!isOpen(draft, requestId)) throw askEnded(requestId, "somebody was quicker, or it was withdrawn");
      draft.translate(frame);
      if (isOpen(draft, requestId))
        throw new AgentRuntimeError(
          "harness-failed",
          `${harness.id} does not know the request ${requestId}.`,
        );
    });
    const failure = await writeCommitted(this.#work, connection, frame, "the answer");
    if (failure === undefined) return;
    if (this.#link.connection === connection) await this.#giveUp(failure.message);
    throw new AgentRuntimeError(
      "harness-failed",
      `The answer did not reach ${harness.id}: ${failure.message}`,
    );
  }

  /** Refuses what a commit brought, where that is the policy. A harness that cannot be refused is given up. */
  async refuse({ asks }: SessionDraft): Promise<void> {
    if (this.#options.policy === "park") return;
    const open = asks.filter((ask) => ask.status === "open");
    await Promise.all(
      open.map(({ kind, requestId }) =>
        this.answer(kind, requestId, REFUSED[kind], "policy").catch((error: unknown) =>
          AgentRuntimeError.is(error) && error.code === "ask-ended"
            ? undefined
            : this.#giveUp(errorInfo(error).message),
        ),
      ),
    );
  }

  /** What was asked, from the log. */
  async #request(kind: AskRecord["kind"], requestId: string): Promise<AskRequest> {
    const { store, session, log } = this.#work;
    const open = log.state.asks.find((ask) => ask.requestId === requestId && ask.kind === kind);
    if (open === undefined) {
      const known = (await store.asks(session.id)).find((ask) => ask.requestId === requestId);
      if (known?.kind === kind) throw askEnded(requestId, known.outcome ?? "ended");
      throw new AgentRuntimeError(
        "ask-not-found",
        `There is no ${kind} request ${requestId} in session ${session.id}.`,
      );
    }
    const [event] = await store.events(session.id, { after: open.seq - 1, limit: 1 });
    if (event?.type === "permission.requested" || event?.type === "question.requested") return event;
    throw new Error(`Event ${open.seq} of session ${session.id} is no request.`);
  }

  #giveUp(message: string): Promise<void> {
    return this.#options.onUnanswerable({
      outcome: "failed",
      reason: "ask-unanswerable",
      error: { message },
    });
  }
}

const REFUSED: { readonly [Kind in AskRecord["kind"]]: AskReply } = {
  permission: {
    refused: true,
    message: "Refused: nobody is there to give permission. Go on without it, or say what you could not do.",
  },
  question: {
    refused: true,
    message: "Nobody is there to answer. Decide yourself, or say what you would have needed to know.",
  },
};

function isOpen({ state }: SessionDraft, requestId: string): boolean {
  return state.asks.some((ask) => ask.requestId === requestId);
}

function askEnded(requestId: string, how: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "ask-ended",
    `The request ${requestId} has ended (${how}); nothing was changed.`,
  );
}
