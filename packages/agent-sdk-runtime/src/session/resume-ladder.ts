import type { EventDraft, Json } from "@claxedo/agent-event-runtime";
import { settlesWithin, withDeadline } from "../base/deadline.ts";
import { messageOf } from "../base/message-of.ts";
import { onAbort } from "../base/on-abort.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { bindingAfter, isSpoilt, type Rung, rungsOf } from "./resume-plan.ts";
import type { SessionBinding } from "./session-binding.ts";
import { settingsOf } from "./session-settings.ts";
import type { SessionWork } from "./session-work.ts";

/** A connection, and what there is to know of how it was come by. */
export interface Climbed {
  readonly connection: HarnessConnection;
  readonly binding: SessionBinding;
  /** To be said with its start. */
  readonly told: readonly EventDraft[];
}

/** Starts the harness of a session: with its own session where that can be had, else with a new one. */
export class ResumeLadder {
  readonly #work: SessionWork;
  readonly #signal: AbortSignal;
  #attempt: Promise<unknown> = Promise.resolve();

  /** `signal` is aborted when no connection is wanted any more. */
  constructor(work: SessionWork, signal: AbortSignal) {
    this.#work = work;
    this.#signal = signal;
  }

  /** Whether the last attempt is over by then, also one that nobody waits for any more. */
  isOver(limitMs: number): Promise<boolean> {
    return settlesWithin(this.#attempt, limitMs);
  }

  /** Tries one rung after the other. Rejects with what keeps the harness from starting at all. */
  async climb(before: SessionBinding | undefined): Promise<Climbed> {
    const { harness, log, advance, deadlines } = this.#work;
    const { state } = log;
    const rungs = rungsOf(before, state, harness.capabilities.resume);
    let why = isSpoilt(state) ? `its turns fail ("${state.trouble?.kind}")` : undefined;
    for (const [index, rung] of rungs.entries()) {
      const started = await this.#connect(rung.binding).catch((error: unknown) => {
        if (index === rungs.length - 1 || !isOfSession(error)) throw error;
        return messageOf(error);
      });
      if (typeof started !== "string") return this.#climbed(started, rung, before, why);
      why = started;
      // Two of them would write to the same session of the harness.
      await this.isOver(deadlines.cancelMs / 4);
      await advance((draft) => draft.say(failed(harness.id, started)));
    }
    throw new Error("The last rung ends the climb.");
  }

  #climbed(
    connection: HarnessConnection,
    rung: Rung,
    before: SessionBinding | undefined,
    why: string | undefined,
  ): Climbed {
    const { harness, log } = this.#work;
    const { resumed } = connection;
    // A turn that waited in line was asked for before the last one ended.
    const seq = (log.state.turn?.record.seq.queued ?? log.head.value + 1) - 1;
    const binding = bindingAfter(before, rung, { current: connection.binding(), resumed, seq }, log.state);
    if (resumed && rung.binding === before?.current) return { connection, binding, told: [] };
    const reason = why ?? (rung.binding === undefined ? undefined : "it is not there any more");
    return {
      connection,
      binding,
      told: reason === undefined ? [] : [abandoned(harness.id, reason, resumed)],
    };
  }

  async #connect(binding: Json | undefined): Promise<HarnessConnection> {
    const { session, harness, deadlines, store, log } = this.#work;
    const giveUp = new AbortController();
    using _ = onAbort(this.#signal, () => giveUp.abort());
    const work = harness.connect({
      sessionId: session.id,
      directory: session.directory,
      ...settingsOf(session, log.state),
      owner: `${store.storeId}.${store.hostId}.${session.id}_${log.progress.snapshot.connection + 1}`,
      ...(binding === undefined ? undefined : { binding }),
      signal: giveUp.signal,
    });
    let closing: Promise<void> | undefined;
    const started = withDeadline(work, deadlines.connectMs, `Starting ${harness.id}`, {
      signal: giveUp.signal,
      onLate: (late) => {
        closing = late.close(0);
      },
    });
    this.#attempt = work.then(() => closing).catch(() => undefined);
    try {
      return await started;
    } catch (error) {
      giveUp.abort();
      throw error;
    }
  }
}

/** Whether a start failed in a way that another session of the harness may not. */
function isOfSession(error: unknown): boolean {
  return !AgentRuntimeError.is(error) || error.code === "harness-failed" || error.code === "timeout";
}

function failed(harnessId: string, why: string): EventDraft {
  return {
    type: "diagnostic",
    code: "resume.failed",
    severity: "warning",
    message: `${harnessId} could not go on from its session, which is tried again: ${why}`,
  };
}

function abandoned(harnessId: string, why: string, resumed: boolean): EventDraft {
  const next = resumed
    ? "It goes on from the one before that, and is handed what was said since."
    : "It begins a new one, and is handed what was said so far.";
  return {
    type: "diagnostic",
    code: "resume.abandoned",
    severity: "warning",
    message: `${harnessId} has left its session: ${why}. ${next}`,
  };
}
