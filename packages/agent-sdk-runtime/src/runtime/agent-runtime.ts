import { randomUUID } from "node:crypto";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness } from "../harness/harness.ts";
import type { AskPolicy } from "../session/ask-desk.ts";
import { defaultDeadlines, type Deadlines } from "../session/session-config.ts";
import type { SessionChange } from "../session/session-settings.ts";
import type { TurnRecord } from "../session/session-state.ts";
import type { SessionStore, StoredSession } from "../stores/session-store.ts";
import { permissionsOf, questionsOf } from "./asks.ts";
import { HostSessions, sessionNotFound } from "./host-sessions.ts";
import { chooseHarness, inputParts, workDirectory } from "./input.ts";
import type {
  AgentRuntime,
  CreateSession,
  RecoveryReport,
  Session,
  StartTurnOptions,
  Steered,
  SteerOptions,
  SubscribeOptions,
  Turn,
} from "./runtime-api.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { checkMode, checkSetting, configOf, mcpOf, offerOf, tasksOf, todosOf } from "./settings.ts";
import { streamEvents } from "./subscriptions.ts";
import { transcriptRows } from "./transcript-rows.ts";
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
  /**
   * What becomes of a request of a harness when no person answers: `park` (default) lets it wait, and the
   * turn with it; `deny` refuses permissions and questions at once, in words that the model can read.
   */
  readonly asks?: AskPolicy;
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
  readonly #core: RuntimeCore;
  readonly permissions: AgentRuntime["permissions"];
  readonly questions: AgentRuntime["questions"];
  readonly todos: AgentRuntime["todos"];
  readonly tasks: AgentRuntime["tasks"];
  readonly mcp: AgentRuntime["mcp"];
  #closed: Promise<void> | undefined;

  constructor(options: AgentRuntimeOptions) {
    this.#options = options;
    this.#store = options.store;
    const { store, harnesses, asks = "park", now = Date.now } = options;
    const deadlines = { ...defaultDeadlines, ...options.deadlines };
    this.#hosted = new HostSessions(store, harnesses, { deadlines, asks, now });
    this.#core = {
      store,
      stored: (sessionId) => this.#stored(sessionId),
      take: (sessionId) => this.#take(sessionId),
      harnessOf: (session) => chooseHarness(harnesses, session.harness).harness,
    };
    this.permissions = permissionsOf(this.#core);
    this.questions = questionsOf(this.#core);
    this.todos = todosOf(this.#core);
    this.tasks = tasksOf(this.#core);
    this.mcp = mcpOf(this.#core);
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
    update: async (sessionId, { title, model }) => {
      const named = title === undefined ? undefined : { title };
      return this.#update(sessionId, { ...named, ...(model === undefined ? undefined : { model }) });
    },
    delete: (sessionId) => this.#delete(sessionId),
    fork: () => notSupported("Forking a session"),
  };

  readonly turns: AgentRuntime["turns"] = {
    start: (options) => this.#startTurn(options),
    steer: (options) => this.#steer(options),
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

  readonly messages: AgentRuntime["messages"] = {
    list: async (sessionId, page) => {
      await this.#stored(sessionId);
      return transcriptRows(this.#store, sessionId, page);
    },
  };

  readonly commands: AgentRuntime["commands"] = {
    list: async (sessionId) => (await offerOf(this.#core, sessionId)).commands,
    run: ({ command, ...options }) =>
      this.#startTurn({ ...options, input: [{ type: "command", text: command }] }),
  };

  readonly models: AgentRuntime["models"] = {
    list: async (sessionId) => (await offerOf(this.#core, sessionId)).models,
  };

  readonly config: AgentRuntime["config"] = {
    read: (sessionId) => configOf(this.#core, sessionId),
    update: (sessionId, change) => this.#update(sessionId, change),
  };

  readonly capabilities: AgentRuntime["capabilities"] = {
    get: async (sessionId) => this.#core.harnessOf(await this.#stored(sessionId)).capabilities,
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
    const { harness, choice } = chooseHarness(this.#options.harnesses, options.harness);
    const directory = await workDirectory(options.directory);
    const { model, mode, title } = options;
    checkSetting("model", model);
    checkMode(harness, mode);
    const facts = {
      ...(model === undefined ? undefined : { model }),
      ...(title === undefined ? undefined : { title }),
    };
    const createdAt = (this.#options.now ?? Date.now)();
    const id = `session_${randomUUID()}`;
    const runner = await this.#hosted.create({ id, directory, harness: choice, ...facts, createdAt });
    const moded = mode === undefined ? undefined : { mode };
    await runner.say({ type: "session.updated", cwd: directory, ...facts, ...moded });
    return this.#session(id);
  }

  async #stored(sessionId: string): Promise<StoredSession> {
    await this.ready;
    const stored = await this.#store.session(sessionId);
    if (stored === undefined) throw sessionNotFound(sessionId);
    return stored;
  }

  async #session(sessionId: string): Promise<Session> {
    return sessionView(await this.#stored(sessionId), this.#hosted.failing(sessionId));
  }

  async #update(sessionId: string, change: SessionChange): Promise<Session> {
    checkSetting("model", change.model);
    checkMode(this.#core.harnessOf(await this.#stored(sessionId)), change.mode);
    await (await this.#take(sessionId)).update(change);
    return this.#session(sessionId);
  }

  async #delete(sessionId: string): Promise<void> {
    const runner = await this.#take(sessionId);
    await runner.remove();
    await this.#hosted.release(sessionId);
  }

  async #startTurn(options: StartTurnOptions): Promise<Turn> {
    const parts = inputParts(options.input);
    const { sessionId, whenBusy = "queue", idempotencyKey } = options;
    if (whenBusy === "steer" && idempotencyKey !== undefined)
      throw new AgentRuntimeError(
        "invalid-input",
        "An input that is to be steered takes no idempotency key: only turns remember theirs.",
      );
    const runner = await this.#take(sessionId);
    const key = idempotencyKey === undefined ? undefined : { idempotencyKey };
    const { record, settled } = await runner.start({ parts, whenBusy, ...key });
    const result = settled.then(turnResult);
    // Whoever started it may never look.
    result.catch(() => undefined);
    return { id: record.turnId, sessionId, status: record.status, seq: record.seq.queued, settled: result };
  }

  async #steer({ sessionId, turnId, input }: SteerOptions): Promise<Steered> {
    const parts = inputParts(input);
    await this.#turn(sessionId, turnId);
    const harness = this.#core.harnessOf(await this.#stored(sessionId));
    if (!harness.capabilities.steer) return notSupported(`Steering ${harness.id}`);
    const inputId = await (await this.#take(sessionId)).steer(turnId, parts);
    return inputId === undefined ? { outcome: "missed" } : { outcome: "sent", inputId };
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
}

async function notSupported(what: string): Promise<never> {
  throw new AgentRuntimeError("not-supported", `${what} is not supported.`);
}
