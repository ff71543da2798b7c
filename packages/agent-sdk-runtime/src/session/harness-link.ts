import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Json } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { ownedBySession } from "../harness/owner-mark.ts";
import { endMarked } from "../harness/process-registry.ts";
import type { NewSession, SessionStore } from "../stores/session-store.ts";
import type { Deadlines } from "./session-config.ts";
import type { SessionDraft } from "./session-draft.ts";

/** Drafts a step of the session and commits it, with what the harness needs to resume if that is given. */
export type Advance = (step: (draft: SessionDraft) => void, binding?: Json) => Promise<SessionDraft>;

/** What a link is made with. */
export interface HarnessLinkOptions {
  readonly store: SessionStore;
  readonly harness: Harness;
  readonly session: NewSession;
  readonly deadlines: Deadlines;
  readonly advance: Advance;
  /** The number of the session's last connection. */
  readonly lastConnection: () => number;
  /** What an earlier connection left. */
  readonly binding?: Json;
  /** Says, in the commit that ends the connection, what becomes of a turn whose harness died. */
  readonly onCrash: (draft: SessionDraft, connection: HarnessConnection) => void;
  /** The session cannot be advanced any more. */
  readonly onFault: (error: Error) => void;
}

/** A session's connection to its harness: opened when it is needed, one at a time, with its frames committed as they come. */
export class HarnessLink {
  readonly #options: HarnessLinkOptions;
  /** Opening and ending wait for each other: there are never two connections. */
  readonly #lane = new Lane();
  #connection: HarnessConnection | undefined;
  #model: string | undefined;
  #binding: Json | undefined;

  constructor(options: HarnessLinkOptions) {
    this.#options = options;
    this.#binding = options.binding;
  }

  /** The connection that is up. */
  get connection(): HarnessConnection | undefined {
    return this.#connection;
  }

  /** The connection for that model, opened if need be. Rejects with what keeps the harness from starting. */
  connected(model: string | undefined): Promise<HarnessConnection> {
    return this.#lane.run(async () => {
      await checkDirectory(this.#options.session.directory);
      if (this.#connection !== undefined && this.#model === model) return this.#connection;
      await this.#end(this.#options.deadlines.cancelMs / 4);
      return this.#open(model);
    });
  }

  /** Ends the connection and all processes of the session, then says so. */
  drop(graceMs: number): Promise<void> {
    return this.#lane.run(() => this.#end(graceMs));
  }

  /** Gives up a harness that does not obey: what becomes of its work is said first, then it is ended. */
  giveUp(graceMs: number, verdict: (draft: SessionDraft) => void): Promise<void> {
    return this.#lane.run(async () => {
      const connection = this.#connection;
      this.#connection = undefined;
      this.#binding = connection?.binding() ?? this.#binding;
      await this.#options.advance((draft) => {
        verdict(draft);
        if (connection !== undefined) closed(draft);
      }, this.#binding);
      await connection?.close(graceMs).catch(() => undefined);
      await this.endProcesses(graceMs / 2);
    });
  }

  /** Ends them without a word, for a session that cannot be advanced. */
  async abandon(graceMs: number): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close(graceMs).catch(() => undefined);
    await this.endProcesses(graceMs / 2);
  }

  /** Ends every process of this session, whichever host and connection started it. */
  async endProcesses(limitMs: number): Promise<void> {
    const { store, session } = this.#options;
    await endMarked(
      { owner: ownedBySession(store.storeId, session.id) },
      { termMs: limitMs, killMs: limitMs },
    );
  }

  async #open(model: string | undefined): Promise<HarnessConnection> {
    const connection = await this.#connect(model);
    await this.#announce(connection).catch(async (error: unknown) => {
      await connection.close(0);
      throw error;
    });
    this.#connection = connection;
    this.#model = model;
    this.#read(connection).catch((error: unknown) => this.#options.onFault(error as Error));
    return connection;
  }

  async #end(graceMs: number): Promise<void> {
    if (this.#connection === undefined) return;
    this.#binding = this.#connection.binding();
    await this.abandon(graceMs);
    await this.#options.advance(closed, this.#binding);
  }

  async #connect(model: string | undefined): Promise<HarnessConnection> {
    const { session, harness, deadlines, store, lastConnection } = this.#options;
    const giveUp = new AbortController();
    const work = harness.connect({
      sessionId: session.id,
      directory: session.directory,
      ...(model === undefined ? undefined : { model }),
      owner: `${store.storeId}.${store.hostId}.${session.id}_${lastConnection() + 1}`,
      ...(this.#binding === undefined ? undefined : { binding: this.#binding }),
      signal: giveUp.signal,
    });
    try {
      return await withDeadline(
        work,
        deadlines.connectMs,
        `Starting ${harness.id}`,
        (late) => void late.close(0),
      );
    } catch (error) {
      giveUp.abort();
      throw error;
    }
  }

  async #announce(connection: HarnessConnection): Promise<void> {
    const { harness, session } = this.#options;
    const { nativeSessionId, model, resumed } = connection;
    await this.#options.advance((draft) => {
      draft.begin();
      draft.say({
        type: "harness.started",
        harnessId: harness.id,
        access: session.harness.access,
        connection: draft.progress.snapshot.connection,
        ...(nativeSessionId === undefined ? undefined : { nativeSessionId }),
        ...(model === undefined ? undefined : { model }),
        resumed,
      });
    });
  }

  /** Every batch is one commit; nothing more is read until it is durable. */
  async #read(connection: HarnessConnection): Promise<void> {
    for (;;) {
      // A store may commit within microtasks: without this, a flood of frames would keep timers and signals waiting.
      await setImmediate();
      const frames = await connection.read();
      if (this.#connection !== connection) return;
      if (frames === undefined) return this.#crashed(connection);
      await this.#options.advance((draft) => {
        if (this.#connection === connection) for (const frame of frames) draft.translate(frame);
      });
    }
  }

  async #crashed(connection: HarnessConnection): Promise<void> {
    this.#connection = undefined;
    this.#binding = connection.binding();
    await this.#options.advance((draft) => {
      this.#options.onCrash(draft, connection);
      draft.finish("lost");
      const exit = connection.exit === undefined ? undefined : { exit: connection.exit };
      draft.say({ type: "harness.ended", reason: "crashed", ...exit });
    }, this.#binding);
    await connection.close(0);
    await this.endProcesses(500);
  }
}

function closed(draft: SessionDraft): void {
  draft.finish("ended");
  draft.say({ type: "harness.ended", reason: "closed" });
}

async function checkDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} does not exist (any more); make it again, or start a session elsewhere.`,
  );
}
