import { randomUUID } from "node:crypto";
import type { ErrorInfo, EventDraft, InputPart, Json, WireFrame } from "@claxedo/agent-event-runtime";
import { settlesWithin, withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { endMarked } from "../harness/process-registry.ts";
import type { OwnedSession, SessionStore } from "../stores/session-store.ts";
import { HarnessLink, type Advance } from "./harness-link.ts";
import type { Deadlines } from "./session-config.ts";
import type { SessionDraft } from "./session-draft.ts";
import { SessionLog } from "./session-log.ts";
import { forcedEnds, type ForcedVerdict } from "./session-machine.ts";
import { settleWhatWasLeft } from "./session-recovery.ts";
import type { RunningTurn, TurnRecord } from "./session-state.ts";
import { TurnWaiters } from "./turn-waiters.ts";

/** What a runner is made with. */
export interface SessionRunnerOptions {
  readonly store: SessionStore;
  readonly owned: OwnedSession;
  readonly harness: Harness;
  readonly deadlines: Deadlines;
  readonly now: () => number;
  /** The runner cannot go on: its session is to be opened anew, once `gone` says that its harness is. */
  readonly onBroken: (gone: Promise<void>) => void;
}

/** A prompt to be queued. */
export interface StartTurn {
  readonly parts: readonly InputPart[];
  readonly whenBusy: "queue" | "reject";
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
  readonly #options: SessionRunnerOptions;
  readonly #waiters = new TurnWaiters();
  readonly #log: SessionLog;
  readonly #link: HarnessLink;
  /** One at a time, so that an idempotency key is looked up and used without another start between. */
  readonly #starts = new Lane();
  /** One at a time, so that a session never has two connections. */
  readonly #deliveries = new Lane();
  #delivering: string | undefined;
  #cancelling: string | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** Whether queued turns are started: not while only settling what a lost host left. */
  #working = false;
  #broken: Error | undefined;

  private constructor(options: SessionRunnerOptions, log: SessionLog) {
    const { store, harness, deadlines, owned } = options;
    this.#options = options;
    this.#log = log;
    this.#link = new HarnessLink({
      store,
      harness,
      session: owned.session,
      deadlines,
      ...(owned.binding === undefined ? undefined : { binding: owned.binding }),
      lastConnection: () => log.progress.snapshot.connection,
      advance: (step, binding) => this.#advance(step, binding),
      onCrash: (draft, connection) => this.#crashed(draft, connection),
      onFault: (error) => this.#break(error),
    });
  }

  /** Opens a session that this host owns, and settles what an earlier host left open in it. */
  static async open(options: SessionRunnerOptions): Promise<SessionRunner> {
    const { store, owned, harness, deadlines, now } = options;
    const log = await SessionLog.open({
      store,
      owned,
      adapter: harness.adapter,
      storeMs: deadlines.storeMs,
      now,
    });
    const runner = new SessionRunner(options, log);
    log.onCommitted = (draft) => runner.#committed(draft);
    const { progress } = log;
    const advance: Advance = (step) => runner.#advance(step);
    await settleWhatWasLeft({
      owned,
      harness,
      link: runner.#link,
      progress,
      advance,
      historyMs: deadlines.connectMs,
    });
    return runner;
  }

  /** The log: its committed state and head. */
  get log(): SessionLog {
    return this.#log;
  }

  /** Accepts a prompt: stored when this resolves, and started at once when the session is free. */
  start(request: StartTurn): Promise<AcceptedTurn> {
    return this.#starts.run(() => this.#start(request));
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

  /** Changes what the session is called or which model its next connection asks for. */
  async update(change: { readonly title?: string; readonly model?: string }): Promise<void> {
    await this.#advance((draft) => draft.say({ type: "session.updated", ...change }));
  }

  /** Says what only the host knows, such as the first words of a new session. */
  async say(...drafts: readonly EventDraft[]): Promise<void> {
    await this.#advance((draft) => draft.say(...drafts));
  }

  /** Stops the harness and lets the session go; a running turn ends as cancelled. Queued turns stay queued. */
  async close(graceMs: number): Promise<void> {
    this.#working = false;
    clearTimeout(this.#silence);
    const { turn } = this.#log.state;
    if (this.#broken === undefined && turn !== undefined) {
      await this.#cancelRunning(turn, graceMs).catch((error: unknown) => this.#break(error as Error));
    }
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
    await this.#link.drop(cancelMs / 4);
    await this.#advance((draft) => draft.say({ type: "session.deleted" }));
    await this.#options.store.remove(this.#id, this.#options.owned.epoch);
  }

  get #id(): string {
    return this.#options.owned.session.id;
  }

  async #advance(step: (draft: SessionDraft) => void, binding?: Json): Promise<SessionDraft> {
    if (this.#broken !== undefined) throw this.#broken;
    const options = { startNext: this.#working, ...(binding === undefined ? undefined : { binding }) };
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
      return await this.#log.advance(guarded, options);
    } catch (error) {
      // A refusal by the step itself leaves the log as it was; anything else means it cannot be written.
      if (error !== fault) this.#break(error as Error);
      throw error;
    }
  }

  #committed(draft: SessionDraft): void {
    this.#waiters.settle(draft.turns);
    this.#watchSilence(draft);
    const { turn } = draft.state;
    const unsent = turn?.inputs.find((input) => !input.sent && input.outcome === undefined);
    if (turn === undefined || unsent === undefined || this.#delivering === turn.record.turnId) return;
    this.#delivering = turn.record.turnId;
    this.#deliveries.run(() => this.#deliver(turn)).catch((error: unknown) => this.#break(error as Error));
  }

  async #knownTurn(request: StartTurn): Promise<TurnRecord | undefined> {
    if (request.idempotencyKey === undefined) return undefined;
    const key = request.idempotencyKey;
    const known = await this.#options.store.turnByKey(this.#id, key);
    if (known === undefined) return undefined;
    if (JSON.stringify(await this.#inputOf(known)) === JSON.stringify(request.parts)) return known;
    throw new AgentRuntimeError(
      "idempotency-conflict",
      `The idempotency key "${key}" was used in session ${this.#id} with another input; use a new key.`,
    );
  }

  /** What a turn was asked, from the log: a prompt may be megabytes, so nothing else keeps it. */
  async #inputOf({ seq }: TurnRecord): Promise<readonly InputPart[]> {
    const [event] = await this.#options.store.events(this.#id, { after: seq.queued - 1, limit: 1 });
    if (event?.type === "turn.queued") return event.input;
    throw new Error(`Event ${seq.queued} of session ${this.#id} is no turn.queued.`);
  }

  #accepted(record: TurnRecord): AcceptedTurn {
    const open = record.status === "queued" || record.status === "running";
    if (!open) return { record, settled: Promise.resolve(record) };
    const settled = this.#waiters.wait(record.turnId);
    const { lastTurn } = this.#log.state;
    if (lastTurn?.turnId === record.turnId) this.#waiters.settle([lastTurn]);
    return { record, settled };
  }

  // Delivery: connect, commit the intent, write.

  async #deliver(turn: RunningTurn): Promise<void> {
    const { turnId, inputId } = turn.record;
    const isCurrent = (draft: SessionDraft): boolean => draft.state.turn?.record.turnId === turnId;
    let connection: HarnessConnection;
    try {
      connection = await this.#link.connected(this.#log.state.model ?? this.#options.owned.session.model);
    } catch (error) {
      if (this.#broken !== undefined) throw error;
      const verdict: ForcedVerdict = {
        outcome: "failed",
        reason: "harness-start-failed",
        error: errorInfo(error),
      };
      await this.#advance((draft) => forceEnd(draft, turnId, verdict));
      return;
    }
    const frame = connection.prompt({ turnId, inputId, parts: await this.#inputOf(turn.record) });
    const draft = await this.#advance(
      (next) => isCurrent(next) && next.translate(frame),
      connection.binding(),
    );
    if (isCurrent(draft)) await this.#write(connection, frame);
  }

  async #write(connection: HarnessConnection, frame: WireFrame): Promise<void> {
    try {
      await withDeadline(
        connection.write(frame),
        this.#options.deadlines.writeMs,
        "Handing the prompt to the harness",
      );
    } catch (error) {
      if (this.#broken !== undefined) throw error;
      const { message } = errorInfo(error);
      await this.#advance((draft) =>
        draft.translate({ kind: "unsent", frame, reason: message, at: this.#options.now() }),
      );
    }
  }

  #crashed(draft: SessionDraft, connection: HarnessConnection): void {
    const { turn } = draft.state;
    if (turn === undefined || !turn.inputs.some((input) => input.sent)) return;
    const message =
      connection.exit?.message ?? `${this.#options.harness.id} ended before it had finished this turn.`;
    const verdict: ForcedVerdict =
      turn.record.turnId === this.#cancelling
        ? { outcome: "cancelled", reason: "cancel-forced" }
        : { outcome: "failed", reason: "harness-crashed", error: { message } };
    draft.say(...forcedEnds(turn, verdict));
  }

  // Ends by other evidence: cancel, silence, a lost host.

  /** All steps fit into the grace: ask, end the turn's processes, then settle it without the harness. */
  async #cancelRunning(turn: RunningTurn, graceMs: number): Promise<void> {
    const { turnId } = turn.record;
    const settled = this.#waiters.wait(turnId);
    const verdict: ForcedVerdict = { outcome: "cancelled", reason: "cancel-forced" };
    const { connection } = this.#link;
    const inHand = this.#log.state.turn?.inputs.some((input) => input.sent) ?? false;
    if (connection === undefined || !inHand) {
      const unsent: ForcedVerdict = { outcome: "cancelled", reason: "cancelled-before-sent" };
      await this.#advance((draft) => forceEnd(draft, turnId, unsent));
      return;
    }
    this.#cancelling = turnId;
    const frame = connection.interrupt();
    await this.#advance((draft) => draft.translate(frame));
    connection.write(frame).catch(() => undefined);
    const ended = endMarked({ turn: turnId }, { termMs: graceMs / 8, killMs: graceMs / 8 });
    if (!(await settlesWithin(settled, graceMs / 2))) await this.#abandon(turnId, verdict, graceMs / 8);
    await ended;
    await endMarked({ turn: turnId }, { termMs: graceMs / 16, killMs: graceMs / 16 });
  }

  /** Settles a turn that the harness will not end, and gives the harness up. */
  #abandon(turnId: string, verdict: ForcedVerdict, graceMs: number): Promise<void> {
    return this.#link.giveUp(graceMs, (draft) => forceEnd(draft, turnId, verdict));
  }

  /** A turn in which the harness says nothing for too long is ended; a tool or a person may take their time. */
  #watchSilence(draft: SessionDraft): void {
    clearTimeout(this.#silence);
    const { turn } = draft.state;
    const waiting = draft.progress.snapshot.open.some(
      ({ kind }) => kind === "tool" || kind === "permission" || kind === "question",
    );
    const sent = turn?.inputs.some((input) => input.sent) ?? false;
    if (turn === undefined || !sent || waiting || this.#broken !== undefined) return;
    const { silenceMs } = this.#options.deadlines;
    const { turnId } = turn.record;
    this.#silence = setTimeout(() => {
      const message = `${this.#options.harness.id} said nothing for ${silenceMs} ms.`;
      const verdict: ForcedVerdict = { outcome: "failed", reason: "silence-deadline", error: { message } };
      this.#abandon(turnId, verdict, this.#options.deadlines.cancelMs / 4).catch((error: unknown) =>
        this.#break(error as Error),
      );
    }, silenceMs);
  }

  /** The log cannot be written: stop the harness, tell those who wait, and let the session be opened anew. */
  #break(error: Error): void {
    if (this.#broken !== undefined) return;
    this.#broken = error;
    clearTimeout(this.#silence);
    this.#waiters.fail(error);
    this.#options.onBroken(this.#link.abandon(this.#options.deadlines.cancelMs / 4));
  }
}

function forceEnd(draft: SessionDraft, turnId: string, verdict: ForcedVerdict): void {
  const { turn } = draft.state;
  if (turn?.record.turnId === turnId) draft.say(...forcedEnds(turn, verdict));
}

function sessionBusy(sessionId: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "session-busy",
    `Session ${sessionId} works on another turn; wait for it, cancel it, or start with whenBusy "queue".`,
  );
}

function errorInfo(error: unknown): ErrorInfo {
  const message = error instanceof Error ? error.message : String(error);
  return AgentRuntimeError.is(error) ? { message, code: error.code } : { message };
}
