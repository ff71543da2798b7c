import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Json } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { ownedBySession } from "../harness/owner-mark.ts";
import { endMarked } from "../harness/process-registry.ts";
import type { SessionDraft } from "./session-draft.ts";
import { settingsOf } from "./session-settings.ts";
import type { SessionWork } from "./session-work.ts";

/** What a link is made with. */
export interface HarnessLinkOptions {
  /** What an earlier connection left. */
  readonly binding?: Json;
  /** Says, in the commit that ends the connection, what becomes of a turn whose harness died. */
  readonly onCrash: (draft: SessionDraft, connection: HarnessConnection) => void;
  /** The session cannot be advanced any more. */
  readonly onFault: (error: Error) => void;
}

/** A session's connection to its harness: opened when it is needed, one at a time, with its frames committed as they come. */
export class HarnessLink {
  readonly #work: SessionWork;
  readonly #options: HarnessLinkOptions;
  /** Opening and ending wait for each other: there are never two connections. */
  readonly #lane = new Lane();
  #connection: HarnessConnection | undefined;
  #outdated = false;
  #binding: Json | undefined;
  /** The harness's own name of the session in the binding that is stored. */
  #named: string | undefined;

  constructor(work: SessionWork, options: HarnessLinkOptions) {
    this.#work = work;
    this.#options = options;
    this.#binding = options.binding;
  }

  /** The connection that is up. */
  get connection(): HarnessConnection | undefined {
    return this.#connection;
  }

  /** The connection with the session's settings, opened if need be. Rejects with what keeps the harness from starting. */
  connected(): Promise<HarnessConnection> {
    return this.#lane.run(async () => {
      const graceMs = this.#work.deadlines.cancelMs / 4;
      await checkDirectory(this.#work.session.directory).catch(async (error: unknown) => {
        // A harness that is still up would go on in a directory that is gone, also once it is made again.
        await this.#end(graceMs);
        throw error;
      });
      let connection = this.#connection;
      // The settings may change while it starts, too.
      while (connection === undefined || this.#outdated) {
        await this.#end(graceMs);
        connection = await this.#open();
      }
      return connection;
    });
  }

  /** The settings have changed, and the harness does not know: the next turn gets a new connection. */
  outdate(): void {
    this.#outdated = true;
  }

  /** Stores with a commit where to resume. */
  bind(draft: SessionDraft, connection: HarnessConnection): void {
    this.#named = connection.nativeSessionId;
    draft.bind(connection.binding());
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
      await this.#work.advance((draft) => {
        verdict(draft);
        if (connection !== undefined) this.#closed(draft, connection.binding());
      });
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
    const { store, session } = this.#work;
    await endMarked(
      { owner: ownedBySession(store.storeId, session.id) },
      { termMs: limitMs, killMs: limitMs },
    );
  }

  async #open(): Promise<HarnessConnection> {
    this.#outdated = false;
    const connection = await this.#connect();
    await this.#announce(connection).catch(async (error: unknown) => {
      await connection.close(0);
      throw error;
    });
    this.#connection = connection;
    this.#read(connection).catch((error: unknown) => this.#options.onFault(error as Error));
    return connection;
  }

  async #end(graceMs: number): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const binding = connection.binding();
    await this.abandon(graceMs);
    await this.#work.advance((draft) => this.#closed(draft, binding));
  }

  async #connect(): Promise<HarnessConnection> {
    const { session, harness, deadlines, store, log } = this.#work;
    const giveUp = new AbortController();
    const work = harness.connect({
      sessionId: session.id,
      directory: session.directory,
      ...settingsOf(session, log.state),
      owner: `${store.storeId}.${store.hostId}.${session.id}_${log.progress.snapshot.connection + 1}`,
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
    const { harness, session } = this.#work;
    const { nativeSessionId, model, resumed } = connection;
    await this.#work.advance((draft) => {
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
      await this.#work.advance((draft) => {
        if (this.#connection !== connection) return;
        for (const frame of frames) draft.translate(frame);
        const named = draft.events.findLast((event) => event.type === "harness.updated")?.nativeSessionId;
        if (named !== undefined && named !== this.#named) this.bind(draft, connection);
      });
    }
  }

  async #crashed(connection: HarnessConnection): Promise<void> {
    this.#connection = undefined;
    await this.#work.advance((draft) => {
      this.#options.onCrash(draft, connection);
      draft.finish("lost");
      const exit = connection.exit === undefined ? undefined : { exit: connection.exit };
      draft.say({ type: "harness.ended", reason: "crashed", ...exit });
      this.#keep(draft, connection.binding());
    });
    await connection.close(0);
    await this.endProcesses(500);
  }

  #closed(draft: SessionDraft, binding: Json): void {
    draft.finish("ended");
    draft.say({ type: "harness.ended", reason: "closed" });
    this.#keep(draft, binding);
  }

  /** What the connection leaves, for the next one. */
  #keep(draft: SessionDraft, binding: Json): void {
    this.#binding = binding;
    draft.bind(binding);
  }
}

async function checkDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} does not exist (any more); make it again, or start a session elsewhere.`,
  );
}
