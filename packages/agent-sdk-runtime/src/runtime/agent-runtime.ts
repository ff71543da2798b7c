import { randomUUID } from "node:crypto";
import {
  apply,
  emptyProjection,
  openRows,
  restoreProjection,
  transcript,
  type TranscriptRow,
} from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness } from "../harness/harness.ts";
import { defaultDeadlines, type Deadlines } from "../session/session-config.ts";
import type { TurnRecord } from "../session/session-state.ts";
import type { SessionStore } from "../stores/session-store.ts";
import { HostSessions, sessionNotFound } from "./host-sessions.ts";
import { chooseHarness, inputParts, workDirectory } from "./input.ts";
import type {
  AgentRuntime,
  Asks,
  CreateSession,
  Later,
  Page,
  RecoveryReport,
  Session,
  StartTurnOptions,
  SubscribeOptions,
  Turn,
} from "./runtime-api.ts";
import { streamEvents } from "./subscriptions.ts";
import { sessionView, turnResult } from "./views.ts";

/** What a runtime is made of. */
export interface AgentRuntimeOptions {
  /** Closed together with the runtime. */
  readonly store: SessionStore;
  readonly harnesses: readonly Harness[];
  /**
   * `host` (default) works on sessions. `reader` only looks: it never locks, recovers or migrates, and
   * whatever would write is `read-only`.
   */
  readonly role?: "host" | "reader";
  /** Defaults: `defaultDeadlines`. */
  readonly deadlines?: Partial<Deadlines>;
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Runs coding agents behind one API. Returns at once; the store is opened, and sessions that a lost host
 * left in the middle of a turn are settled, before the first call is answered (see `ready`).
 */
export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  return new Runtime(options);
}

class Runtime implements AgentRuntime {
  readonly ready: Promise<RecoveryReport>;
  readonly #options: AgentRuntimeOptions;
  readonly #store: SessionStore;
  readonly #hosted: HostSessions;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
    this.#store = options.store;
    const deadlines = { ...defaultDeadlines, ...options.deadlines };
    this.#hosted = new HostSessions(options.store, options.harnesses, deadlines, options.now ?? Date.now);
    this.ready = this.#start();
    this.ready.catch(() => undefined);
  }

  readonly sessions: AgentRuntime["sessions"] = {
    create: (options) => this.#create(options),
    get: (sessionId) => this.#session(sessionId),
    list: async (options) => {
      await this.ready;
      return (await this.#store.sessions(options)).map((stored) =>
        sessionView(stored, this.#hosted.failing(stored.id)),
      );
    },
    update: async (sessionId, change) => {
      await (await this.#take(sessionId)).update(change);
      return this.#session(sessionId);
    },
    delete: (sessionId) => this.#delete(sessionId),
    fork: () => notSupported("Forking a session"),
  };

  readonly turns: AgentRuntime["turns"] = {
    start: (options) => this.#startTurn(options),
    steer: () => notSupported("Steering a running turn"),
    cancel: async ({ sessionId, turnId, graceMs }) => {
      const turn = await this.#turn(sessionId, turnId);
      if (turn.status === "queued" || turn.status === "running")
        await (await this.#take(sessionId)).cancel(turnId, graceMs);
      return this.#turn(sessionId, turnId);
    },
    get: ({ sessionId, turnId }) => this.#turn(sessionId, turnId),
    list: async (sessionId, page) => {
      await this.#session(sessionId);
      return this.#store.turns(sessionId, page);
    },
  };

  readonly events: AgentRuntime["events"] = {
    subscribe: (options) => this.#subscribe(options),
    list: async (sessionId, page) => {
      await this.#session(sessionId);
      return this.#store.events(sessionId, page);
    },
  };

  readonly messages: AgentRuntime["messages"] = { list: (sessionId, page) => this.#rows(sessionId, page) };
  readonly permissions: Asks = this.#asks("permission");
  readonly questions: Asks = this.#asks("question");
  readonly todos: Later = { list: () => notSupported("Listing todos") };
  readonly commands: Later = { list: () => notSupported("Listing commands") };
  readonly models: Later = { list: () => notSupported("Listing models") };
  readonly config: Later = { list: () => notSupported("Listing configuration options") };

  readonly capabilities: AgentRuntime["capabilities"] = {
    get: async (sessionId) => {
      const session = await this.#session(sessionId);
      return chooseHarness(this.#options.harnesses, session.harness).harness.capabilities;
    },
  };

  readonly health: AgentRuntime["health"] = {
    status: async () => {
      await this.ready;
      const reports = this.#options.harnesses.map(async (harness) => {
        const { id, access, capabilities } = harness;
        return { id, access, capabilities, ...(await harness.health()) };
      });
      return {
        storeId: this.#store.storeId,
        hostId: this.#store.hostId,
        harnesses: await Promise.all(reports),
      };
    },
  };

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #start(): Promise<RecoveryReport> {
    const role = this.#options.role ?? "host";
    await this.#store.open(role);
    return role === "host" ? this.#hosted.recover() : { recovered: [], failed: [] };
  }

  async #close(): Promise<void> {
    await this.ready.catch(() => undefined);
    await this.#hosted.close();
    this.#closing.abort();
    await this.#store[Symbol.asyncDispose]();
  }

  async #hosting(): Promise<void> {
    await this.ready;
    if (this.#options.role !== "reader") return;
    throw new AgentRuntimeError(
      "read-only",
      "This runtime only reads; make one with the role host to change sessions.",
    );
  }

  async #take(sessionId: string): ReturnType<HostSessions["take"]> {
    await this.#hosting();
    return this.#hosted.take(sessionId);
  }

  async #create(options: CreateSession): Promise<Session> {
    await this.#hosting();
    const { choice } = chooseHarness(this.#options.harnesses, options.harness);
    const directory = await workDirectory(options.directory);
    const { model, title } = options;
    const facts = {
      ...(model === undefined ? undefined : { model }),
      ...(title === undefined ? undefined : { title }),
    };
    const createdAt = (this.#options.now ?? Date.now)();
    const id = `session_${randomUUID()}`;
    const runner = await this.#hosted.create({ id, directory, harness: choice, ...facts, createdAt });
    await runner.say({ type: "session.updated", cwd: directory, ...facts });
    return this.#session(id);
  }

  async #session(sessionId: string): Promise<Session> {
    await this.ready;
    const stored = await this.#store.session(sessionId);
    if (stored === undefined) throw sessionNotFound(sessionId);
    return sessionView(stored, this.#hosted.failing(sessionId));
  }

  async #delete(sessionId: string): Promise<void> {
    const runner = await this.#take(sessionId);
    await runner.remove();
    await this.#hosted.release(sessionId);
  }

  async #startTurn(options: StartTurnOptions): Promise<Turn> {
    const parts = inputParts(options.input);
    const { sessionId, whenBusy = "queue", idempotencyKey } = options;
    if (whenBusy === "steer") return notSupported("Steering a running turn");
    const runner = await this.#take(sessionId);
    const key = idempotencyKey === undefined ? undefined : { idempotencyKey };
    const { record, settled } = await runner.start({ parts, whenBusy, ...key });
    const result = settled.then(turnResult);
    // Whoever started it may never look.
    result.catch(() => undefined);
    return { id: record.turnId, sessionId, status: record.status, seq: record.seq.queued, settled: result };
  }

  async #turn(sessionId: string, turnId: string): Promise<TurnRecord> {
    await this.#session(sessionId);
    const turn = await this.#store.turn(sessionId, turnId);
    if (turn !== undefined) return turn;
    throw new AgentRuntimeError("turn-not-found", `There is no turn ${turnId} in session ${sessionId}.`);
  }

  async *#subscribe(
    options: SubscribeOptions,
  ): AsyncGenerator<Awaited<ReturnType<SessionStore["events"]>>[number]> {
    await this.ready;
    yield* streamEvents({ store: this.#store, hosted: this.#hosted, closing: this.#closing.signal }, options);
  }

  /** Stored rows, brought up to the last event by a fold over what came after them. */
  async #rows(sessionId: string, page?: Page): ReturnType<AgentRuntime["messages"]["list"]> {
    await this.#session(sessionId);
    const stored = await this.#store.rows(sessionId, transcript.id, page);
    const restored =
      stored.snapshot === undefined ? undefined : restoreProjection(transcript, stored.snapshot);
    let view = restored?.ok ? restored.snapshot : emptyProjection(transcript);
    const rows = new Map(
      restored?.ok ? stored.rows.map((row) => [row.rowId, row.body as unknown as TranscriptRow]) : [],
    );
    for (;;) {
      const events = await this.#store.events(sessionId, { after: view.seq });
      if (events.length === 0) break;
      for (const event of events) {
        const applied = apply(transcript, view, event);
        view = applied.snapshot;
        for (const row of applied.output) rows.set(row.rowId, row);
      }
    }
    for (const row of openRows(view.state as never)) rows.set(row.rowId, row);
    const after = page?.after ?? 0;
    const listed = [...rows.values()]
      .filter((row) => row.ordinal > after)
      .sort((a, b) => a.ordinal - b.ordinal);
    return { seq: view.seq, rows: listed.slice(0, page?.limit ?? listed.length) };
  }

  #asks(kind: "permission" | "question"): Asks {
    return {
      list: async (sessionId) => {
        await this.#session(sessionId);
        return (await this.#store.asks(sessionId)).filter((ask) => ask.kind === kind);
      },
      answer: () => notSupported(`Answering a ${kind}`),
      reject: () => notSupported(`Rejecting a ${kind}`),
    };
  }
}

async function notSupported(what: string): Promise<never> {
  throw new AgentRuntimeError("not-supported", `${what} is not supported by this version.`);
}
