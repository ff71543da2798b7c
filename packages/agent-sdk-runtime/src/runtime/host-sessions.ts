import type { ErrorInfo } from "@claxedo/agent-event-runtime";
import { messageOf } from "../base/message-of.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness } from "../harness/harness.ts";
import { SessionRunner, type SessionRunnerOptions } from "../session/session-runner.ts";
import type { SessionState } from "../session/session-state.ts";
import type { NewSession, OwnedSession, SessionStore } from "../stores/session-store.ts";
import { chooseHarness } from "./input.ts";
import type { RecoveryReport } from "./runtime-api.ts";

/** How the sessions of a host are worked. */
export type HostOptions = Pick<SessionRunnerOptions, "deadlines" | "asks" | "now">;

/** The sessions that this host works on: taken when they are first needed, let go when the runtime is closed. */
export class HostSessions {
  readonly #store: SessionStore;
  readonly #harnesses: readonly Harness[];
  readonly #options: HostOptions;
  readonly #runners = new Map<string, Promise<SessionRunner>>();
  /** Why the last runner of a session could not go on, until there is another. */
  readonly #failures = new Map<string, ErrorInfo>();
  /** Harnesses of runners that could not go on, while they are being ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  #closed = false;

  constructor(store: SessionStore, harnesses: readonly Harness[], options: HostOptions) {
    this.#store = store;
    this.#harnesses = harnesses;
    this.#options = options;
  }

  /** Adds a session and takes it. */
  async create(session: NewSession): Promise<SessionRunner> {
    const { harness } = chooseHarness(this.#harnesses, session.harness);
    const owned = await this.#store.create(session);
    return this.#keep(session.id, this.#open(owned, harness));
  }

  /** The runner of a session, taking it first when it is free; `owned-elsewhere` when it is not. */
  take(sessionId: string): Promise<SessionRunner> {
    if (this.#closed)
      return Promise.reject(new AgentRuntimeError("closed", "The runtime is closed; make a new one."));
    return this.#runners.get(sessionId) ?? this.#keep(sessionId, this.#acquire(sessionId));
  }

  /** The runner of a session, if this host has it. */
  held(sessionId: string): Promise<SessionRunner> | undefined {
    return this.#runners.get(sessionId);
  }

  /** Whether the last attempt to store what happened in a session failed. */
  failing(sessionId: string): boolean {
    return this.#failures.has(sessionId);
  }

  /** Takes the sessions that a lost host left in the middle of something, and settles them. */
  async recover(): Promise<RecoveryReport> {
    const recovered: string[] = [];
    const failed: { sessionId: string; message: string }[] = [];
    for (const sessionId of await this.#store.unsettled()) {
      try {
        const left = (await this.#store.session(sessionId))?.state;
        if (left === undefined || !isUnsettled(left)) continue;
        await this.take(sessionId);
        // Let go again: it may be worked on anywhere.
        await this.release(sessionId);
        if (left.turn !== undefined) recovered.push(sessionId);
      } catch (error) {
        // Another host was quicker, or the session was deleted and is removed now.
        if (AgentRuntimeError.is(error) && SETTLED_ELSEWHERE.has(error.code)) continue;
        failed.push({ sessionId, message: messageOf(error) });
      }
    }
    return { recovered, failed };
  }

  /** Stops a session's work and lets it go. */
  async release(sessionId: string): Promise<void> {
    const runner = await this.#runners.get(sessionId);
    this.#runners.delete(sessionId);
    await runner?.close(this.#options.deadlines.cancelMs);
  }

  /** Stops all work and lets every session go. */
  async close(): Promise<void> {
    this.#closed = true;
    const ids = [...this.#runners.keys()];
    await Promise.allSettled([...ids.map((id) => this.release(id)), ...this.#leaving.values()]);
  }

  #giveUp(sessionId: string, failure: ErrorInfo, gone: Promise<void>): void {
    this.#failures.set(sessionId, failure);
    this.#runners.delete(sessionId);
    this.#leaving.set(sessionId, gone);
    void gone.finally(() => this.#leaving.get(sessionId) === gone && this.#leaving.delete(sessionId));
  }

  async #acquire(sessionId: string): Promise<SessionRunner> {
    await this.#leaving.get(sessionId);
    const stored = await this.#store.session(sessionId);
    if (stored === undefined) throw sessionNotFound(sessionId);
    const { harness } = chooseHarness(this.#harnesses, stored.harness);
    return this.#open(await this.#store.acquire(sessionId), harness);
  }

  async #open(owned: OwnedSession, harness: Harness): Promise<SessionRunner> {
    const sessionId = owned.session.id;
    if (owned.session.state.deleted) {
      await this.#store.remove(sessionId, owned.epoch);
      throw sessionNotFound(sessionId);
    }
    const failure = this.#failures.get(sessionId);
    const runner = await SessionRunner.open({
      store: this.#store,
      owned,
      harness,
      ...this.#options,
      ...(failure === undefined ? undefined : { failure }),
      onBroken: (why, gone) => this.#giveUp(sessionId, why, gone),
    });
    this.#failures.delete(sessionId);
    return runner;
  }

  /** Everybody who asks meanwhile gets the same runner; one that could not be opened is forgotten. */
  #keep(sessionId: string, opening: Promise<SessionRunner>): Promise<SessionRunner> {
    this.#runners.set(sessionId, opening);
    opening.catch(() => {
      if (this.#runners.get(sessionId) === opening) this.#runners.delete(sessionId);
    });
    return opening;
  }
}

const SETTLED_ELSEWHERE: ReadonlySet<string> = new Set(["owned-elsewhere", "session-not-found"]);

/** Whether something is open that only a living host could end. */
function isUnsettled({ turn, connected, recovering, deleted }: SessionState): boolean {
  return turn !== undefined || connected || recovering || deleted;
}

/** The error for a session that is not in this store. */
export function sessionNotFound(sessionId: string): AgentRuntimeError {
  return new AgentRuntimeError("session-not-found", `There is no session ${sessionId} in this store.`);
}
