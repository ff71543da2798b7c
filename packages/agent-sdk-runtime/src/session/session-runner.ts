import { randomUUID } from "node:crypto";
import type { ErrorInfo, EventDraft, InputPart } from "@claxedo/agent-event-runtime";
import { settlesWithin, withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness, HarnessOffer } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { endMarked } from "../harness/process-registry.ts";
import type { OwnedSession, SessionStore } from "../stores/session-store.ts";
import { AskDesk, type AskPolicy } from "./ask-desk.ts";
import { DirectoryWatch } from "./directory-watch.ts";
import { errorInfo } from "./error-info.ts";
import { HarnessLink } from "./harness-link.ts";
import { OfferDesk } from "./offer-desk.ts";
import type { Deadlines } from "./session-config.ts";
import type { SessionDraft } from "./session-draft.ts";
import { SessionLog } from "./session-log.ts";
import { settleWhatWasLeft } from "./session-recovery.ts";
import { changeSession, type SessionChange } from "./session-settings.ts";
import type { RunningTurn, TurnRecord } from "./session-state.ts";
import type { SessionWork } from "./session-work.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { forceEnd, TurnDelivery } from "./turn-delivery.ts";
import { forcedEnds, type ForcedVerdict } from "./turn-machine.ts";
import { TurnWaiters } from "./turn-waiters.ts";

/** What a runner is made with. */
export interface SessionRunnerOptions {
  readonly store: SessionStore;
  readonly owned: OwnedSession;
  readonly harness: Harness;
  readonly deadlines: Deadlines;
  readonly asks: AskPolicy;
  readonly now: () => number;
  /** Why the runner that this host had before it could not go on. */
  readonly failure?: ErrorInfo;
  /** The runner cannot go on: its session is to be opened anew, once `gone` says that its harness is. */
  readonly onBroken: (failure: ErrorInfo, gone: Promise<void>) => void;
}

/** A prompt to be queued, or to be handed into the running turn. */
export interface StartTurn {
  readonly parts: readonly InputPart[];
  readonly whenBusy: "queue" | "reject" | "steer";
  readonly idempotencyKey?: string;
}

/** A turn as it was accepted, and its end. */
export interface AcceptedTurn {
  readonly record: TurnRecord;
  readonly settled: Promise<TurnRecord>;
}

/**
 * Works one session that this host owns: hands its turns to the harness one at a time, commits what comes
 * back, and sees to it that every turn gets its verdict. What to say is decided by the session machine.
 */
export class SessionRunner {
  /** Takes answers to what the harness asks. */
  readonly asks: AskDesk;
  readonly #options: SessionRunnerOptions;
  readonly #waiters = new TurnWaiters();
  readonly #log: SessionLog;
  readonly #work: SessionWork;
  readonly #link: HarnessLink;
  readonly #delivery: TurnDelivery;
  readonly #offers: OfferDesk;
  readonly #silence: SilenceWatch;
  readonly #directory: DirectoryWatch;
  /** One at a time, so that an idempotency key is looked up and used without another start between. */
  readonly #starts = new Lane();
  readonly #changes = new Lane();
  #cancelling: string | undefined;
  /** Whether queued turns are started: not while only settling what a lost host left. */
  #working = false;
  #broken: Error | undefined;

  private constructor(options: SessionRunnerOptions, log: SessionLog) {
    const { store, harness, deadlines, owned, now } = options;
    this.#options = options;
    this.#log = log;
    const advance: SessionWork["advance"] = (step) => this.#advance(step);
    this.#work = { store, harness, session: owned.session, deadlines, now, log, advance };
    this.#link = new HarnessLink(this.#work, {
      ...(owned.binding === undefined ? undefined : { binding: owned.binding }),
      onCrash: (draft, connection) => this.#crashed(draft, connection),
      onFault: (error) => this.#break(error),
    });
    this.#delivery = new TurnDelivery(this.#work, this.#link, (turnId) => turnId === this.#cancelling);
    this.#offers = new OfferDesk(this.#work, this.#link);
    this.asks = new AskDesk(this.#work, this.#link, {
      policy: options.asks,
      onUnanswerable: (verdict) => this.#giveUp(verdict),
    });
    this.#silence = new SilenceWatch(harness.id, deadlines.silenceMs, (message) =>
      this.#orBreak(this.#giveUp({ outcome: "failed", reason: "silence-deadline", error: { message } })),
    );
    this.#directory = new DirectoryWatch({
      path: owned.session.directory,
      look: () => this.#link.look(),
      onLost: (turnId, error) => {
        if (turnId === this.#cancelling) return;
        const verdict = { outcome: "failed", reason: "directory-missing", error: errorInfo(error) } as const;
        this.#orBreak(this.#giveUp(verdict));
      },
    });
  }

  /** Opens a session that this host owns, and settles what an earlier host left open in it. */
  static async open(options: SessionRunnerOptions): Promise<SessionRunner> {
    const { store, owned, harness, deadlines, now } = options;
    const { storeMs } = deadlines;
    const log = await SessionLog.open({ store, owned, adapter: harness.adapter, storeMs, now });
    const runner = new SessionRunner(options, log);
    log.onCommitted = (draft) => runner.#committed(draft);
    await settleWhatWasLeft(runner.#work, runner.#link, owned, options.failure);
    return runner;
  }

  /** The log: its committed state and head. */
  get log(): SessionLog {
    return this.#log;
  }

  /**
   * Accepts a prompt: stored when this resolves, and started at once when the session is free. One that is to
   * be steered goes into the turn that runs, and waits in line when there is none that takes it.
   */
  async start(request: StartTurn): Promise<AcceptedTurn> {
    const steered = request.whenBusy === "steer" ? await this.#steered(request.parts) : undefined;
    return steered ?? this.#starts.run(() => this.#start(request));
  }

  /** Hands input into that turn; answers the input's id, or `undefined` when the turn does not run (any more). */
  steer(turnId: string, parts: readonly InputPart[]): Promise<string | undefined> {
    return this.#delivery.steer(turnId, parts);
  }

  /** Ends a turn as cancelled, whatever the harness does, within its grace. A turn that has ended is left as it is. */
  async cancel(turnId: string, graceMs: number = this.#options.deadlines.cancelMs): Promise<void> {
    const { turn, queue } = this.#log.state;
    if (queue.some((waiting) => waiting.turnId === turnId)) {
      const cancelled = {
        type: "turn.ended",
        turnId,
        outcome: "cancelled",
        reason: "cancelled-while-queued",
      } as const;
      await this.#advance((draft) => draft.say(cancelled));
    } else if (turn?.record.turnId === turnId) {
      await this.#cancelRunning(turn, graceMs);
    }
  }

  /** Changes what the session is called, or what it asks of its harness. A refused change changes nothing. */
  update(change: SessionChange): Promise<void> {
    return this.#changes.run(() => changeSession(this.#work, this.#link, change));
  }

  /** What the harness offers. Rejects with `not-supported` where it does not tell. */
  offer(): Promise<HarnessOffer> {
    return this.#offers.ask();
  }

  /** Stops an open task: resolves when the harness has taken that; its end is told by the log. */
  async stopTask(taskId: string): Promise<void> {
    const { harness, deadlines, session } = this.#work;
    const { connection } = this.#link;
    if (connection === undefined || !this.#log.state.tasks?.some((task) => task.taskId === taskId)) {
      const message = `No task ${taskId} is at work in session ${session.id}.`;
      throw new AgentRuntimeError("task-not-found", message);
    }
    if (connection.stopTask === undefined)
      throw new AgentRuntimeError("not-supported", `${harness.id} cannot stop a task by itself.`);
    // From the second connection on, the translator has put `c<n>.` before the id that the adapter gave.
    const given = this.#log.progress.snapshot.connection > 1 ? taskId.replace(/^c\d+\./u, "") : taskId;
    await withDeadline(connection.stopTask(given), deadlines.writeMs, `Stopping the task ${taskId}`);
  }

  /** Says what only the host knows, such as the first words of a new session. */
  async say(...drafts: readonly EventDraft[]): Promise<void> {
    await this.#advance((draft) => draft.say(...drafts));
  }

  /** Stops the harness and lets the session go; a running turn ends as cancelled. Queued turns stay queued. */
  async close(graceMs: number): Promise<void> {
    this.#working = false;
    this.#silence.stop();
    const { turn } = this.#log.state;
    if (this.#broken === undefined && turn !== undefined) {
      await this.#cancelRunning(turn, graceMs).catch((error: unknown) => this.#break(error as Error));
    }
    await this.#offers.close(graceMs / 4);
    await this.#link.drop(graceMs / 4).catch((error: unknown) => this.#break(error as Error));
    this.#waiters.fail(new AgentRuntimeError("closed", "The runtime was closed before this turn ended."));
    if (this.#broken === undefined) await this.#options.store.release(this.#id, this.#options.owned.epoch);
  }

  /** Stops what runs, says that the session is gone, and takes it out of the store. */
  async remove(): Promise<void> {
    this.#working = false;
    const { cancelMs } = this.#options.deadlines;
    for (const waiting of this.#log.state.queue) await this.cancel(waiting.turnId);
    const { turn } = this.#log.state;
    if (turn !== undefined) await this.#cancelRunning(turn, cancelMs);
    await this.#offers.close(cancelMs / 4);
    await this.#link.drop(cancelMs / 4);
    await this.#advance((draft) => draft.say({ type: "session.deleted" }));
    await this.#options.store.remove(this.#id, this.#options.owned.epoch);
  }

  get #id(): string {
    return this.#options.owned.session.id;
  }

  async #advance(step: (draft: SessionDraft) => void): Promise<SessionDraft> {
    if (this.#broken !== undefined) throw this.#broken;
    let fault: unknown;
    const guarded = (draft: SessionDraft): void => {
      try {
        step(draft);
      } catch (error) {
        fault = error;
        throw error;
      }
    };
    try {
      return await this.#log.advance(guarded, { startNext: this.#working });
    } catch (error) {
      // A refusal by the step itself leaves the log as it was; anything else means it cannot be written.
      if (error !== fault) this.#break(error as Error);
      throw error;
    }
  }

  #committed(draft: SessionDraft): void {
    const { turn } = draft.state;
    this.#waiters.settle(draft.turns);
    if (this.#broken === undefined) {
      this.#silence.look(draft);
      this.#directory.watch(this.#link.connection && isInHand(turn) ? turn.record.turnId : undefined);
    }
    this.#orBreak(this.#delivery.deliver(draft.state));
    this.#orBreak(this.asks.refuse(draft));
  }

  #orBreak(work: Promise<void>): void {
    work.catch((error: unknown) => this.#break(error as Error));
  }

  async #start(request: StartTurn): Promise<AcceptedTurn> {
    const known = await this.#knownTurn(request);
    if (known !== undefined) return this.#accepted(known);
    this.#working = true;
    const turnId = `turn_${randomUUID()}`;
    const draft = await this.#advance((next) => {
      const busy = next.state.turn !== undefined || next.state.queue.length > 0;
      if (request.whenBusy === "reject" && busy) throw sessionBusy(this.#id);
      const { parts, idempotencyKey } = request;
      const key = idempotencyKey === undefined ? undefined : { idempotencyKey };
      next.say({ type: "turn.queued", turnId, inputId: `input_${randomUUID()}`, input: parts, ...key });
    });
    const record = draft.turns.find((turn) => turn.turnId === turnId);
    if (record === undefined) throw new Error("A queued turn is missing from its own commit.");
    return this.#accepted(record);
  }

  /** The running turn, if it has taken the input. Its end is waited for before it can come. */
  async #steered(parts: readonly InputPart[]): Promise<AcceptedTurn | undefined> {
    const { turn } = this.#log.state;
    if (turn === undefined || !this.#options.harness.capabilities.steer) return undefined;
    const { record } = turn;
    const settled = this.#waiters.wait(record.turnId);
    const inputId = await this.steer(record.turnId, parts);
    return inputId === undefined ? undefined : { record, settled };
  }

  async #knownTurn(request: StartTurn): Promise<TurnRecord | undefined> {
    if (request.idempotencyKey === undefined) return undefined;
    const key = request.idempotencyKey;
    const known = await this.#options.store.turnByKey(this.#id, key);
    if (known === undefined) return undefined;
    if (JSON.stringify(await this.#delivery.inputOf(known)) === JSON.stringify(request.parts)) return known;
    throw new AgentRuntimeError(
      "idempotency-conflict",
      `The idempotency key "${key}" was used in session ${this.#id} with another input; use a new key.`,
    );
  }

  #accepted(record: TurnRecord): AcceptedTurn {
    const open = record.status === "queued" || record.status === "running";
    if (!open) return { record, settled: Promise.resolve(record) };
    const settled = this.#waiters.wait(record.turnId);
    const { lastTurn } = this.#log.state;
    if (lastTurn?.turnId === record.turnId) this.#waiters.settle([lastTurn]);
    return { record, settled };
  }

  // Ends by other evidence: a crash, cancel, silence, a log that cannot be written.

  #crashed(draft: SessionDraft, connection: HarnessConnection): void {
    const { turn } = draft.state;
    if (!isInHand(turn)) return;
    const message =
      connection.exit?.message ?? `${this.#options.harness.id} ended before it had finished this turn.`;
    const verdict: ForcedVerdict =
      turn.record.turnId === this.#cancelling
        ? { outcome: "cancelled", reason: "cancel-forced" }
        : { outcome: "failed", reason: "harness-crashed", error: { message } };
    draft.say(...forcedEnds(turn, verdict));
  }

  /** All steps fit into the grace: ask, end the turn's processes, then settle it without the harness. */
  async #cancelRunning(turn: RunningTurn, graceMs: number): Promise<void> {
    const { turnId } = turn.record;
    const settled = this.#waiters.wait(turnId);
    const { connection } = this.#link;
    if (connection === undefined || !isInHand(this.#log.state.turn)) {
      const unsent: ForcedVerdict = { outcome: "cancelled", reason: "cancelled-before-sent" };
      await this.#advance((draft) => forceEnd(draft, turnId, unsent));
      return;
    }
    this.#cancelling = turnId;
    const frame = connection.interrupt();
    let runs = false;
    await this.#advance((draft) => {
      // It may have ended meanwhile: what runs now is not to be stopped.
      runs = draft.state.turn?.record.turnId === turnId;
      if (runs) draft.translate(frame);
    });
    if (!runs) return;
    connection.write(frame).catch(() => undefined);
    const ended = endMarked({ turn: turnId }, { termMs: graceMs / 8, killMs: graceMs / 8 });
    if (!(await settlesWithin(settled, graceMs / 2))) {
      const forced: ForcedVerdict = { outcome: "cancelled", reason: "cancel-forced" };
      await this.#link.giveUp(graceMs / 8, (draft) => forceEnd(draft, turnId, forced));
    }
    await ended;
    await endMarked({ turn: turnId }, { termMs: graceMs / 16, killMs: graceMs / 16 });
  }

  /** Ends a harness of which nothing can be expected any more; a turn that runs gets this verdict. */
  #giveUp(verdict: ForcedVerdict): Promise<void> {
    const turnId = this.#log.state.turn?.record.turnId;
    const { cancelMs } = this.#options.deadlines;
    return this.#link.giveUp(cancelMs / 4, (draft) => forceEnd(draft, turnId, verdict));
  }

  /** The log cannot be written: stop the harness, tell those who wait, and let the session be opened anew. */
  #break(error: Error): void {
    if (this.#broken !== undefined) return;
    this.#broken = error;
    this.#silence.stop();
    this.#directory.watch(undefined);
    this.#waiters.fail(error);
    this.#options.onBroken(errorInfo(error), this.#link.abandon(this.#options.deadlines.cancelMs / 4));
  }
}

/** Whether the harness has got something of it. */
function isInHand(turn: RunningTurn | undefined): turn is RunningTurn {
  return turn?.inputs.some((input) => input.sent) ?? false;
}

function sessionBusy(sessionId: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "session-busy",
    `Session ${sessionId} works on another turn; wait for it, cancel it, or start with whenBusy "queue".`,
  );
}
