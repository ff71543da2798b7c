import { setImmediate } from "node:timers/promises";
import type { Json } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { ownedBySession } from "../harness/owner-mark.ts";
import { endMarked } from "../harness/process-registry.ts";
import { type DirectoryLook, HeldDirectory } from "./held-directory.ts";
import { type Handover, handoverOf } from "./handover.ts";
import { type Climbed, ResumeLadder } from "./resume-ladder.ts";
import { isSpoilt } from "./resume-plan.ts";
import { readBinding, type SessionBinding, storedBinding } from "./session-binding.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { SessionWork } from "./session-work.ts";

/** What a link is made with. */
export interface HarnessLinkOptions {
  /** What is stored of earlier connections. */
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
  readonly #ladder: ResumeLadder;
  /** The mark of its processes: they are to be found when the store is closed, too. */
  readonly #owner: ReturnType<typeof ownedBySession>;
  /** Opening and ending wait for each other: there are never two connections. */
  readonly #lane = new Lane();
  readonly #left = new AbortController();
  #connection: HarnessConnection | undefined;
  /** The directory that the connection works in. */
  #directory: HeldDirectory | undefined;
  #outdated = false;
  #binding: SessionBinding | undefined;
  /** The harness's own name of the session in the binding that is stored. */
  #named: string | undefined;

  constructor(work: SessionWork, options: HarnessLinkOptions) {
    this.#work = work;
    this.#options = options;
    this.#owner = ownedBySession(work.store.storeId, work.session.id);
    this.#ladder = new ResumeLadder(work, this.#left.signal);
    this.#binding = readBinding(options.binding);
  }

  /** The connection that is up. */
  get connection(): HarnessConnection | undefined {
    return this.#connection;
  }

  /** The connection with the session's settings, opened if need be. Rejects with what keeps the harness from starting. */
  connected(): Promise<HarnessConnection> {
    return this.#lane.run(async () => {
      const graceMs = this.#work.deadlines.cancelMs / 4;
      await this.#settleIn(graceMs);
      if (isSpoilt(this.#work.log.state)) this.#outdated = true;
      let connection = this.#connection;
      // The settings may change while it starts, too.
      while (connection === undefined || this.#outdated) {
        await this.#end(graceMs);
        connection = await this.#open();
      }
      return connection;
    });
  }

  /** What has become of the directory that the connection works in. Rejects where that cannot be told. */
  async look(): Promise<DirectoryLook> {
    return this.#directory?.look() ?? "same";
  }

  /** The settings have changed, and the harness does not know: the next turn gets a new connection. */
  outdate(): void {
    this.#outdated = true;
  }

  /** What the next prompt has to take along, since the harness's session does not know it. */
  async handover(): Promise<Handover | undefined> {
    const after = this.#binding?.unknownAfter;
    return after === undefined ? undefined : handoverOf(this.#work.store, this.#work.session.id, after);
  }

  /** Stores with a commit where to resume, as it is once the prompt has been taken with what it takes along. */
  bind(draft: SessionDraft, connection: HarnessConnection, handover?: Handover): void {
    if (handover !== undefined && this.#binding !== undefined) {
      const { unknownAfter: _, ...known } = this.#binding;
      this.#binding = known;
    }
    this.#named = connection.nativeSessionId;
    this.#keep(draft, connection.binding());
  }

  /** That was not written: it is still to be handed over. */
  missed({ after }: Handover): void {
    if (this.#binding !== undefined) this.#binding = { ...this.#binding, unknownAfter: after };
  }

  /** Ends the connection and all processes of the session, then says so. None is opened any more. */
  async drop(graceMs: number): Promise<void> {
    this.#left.abort();
    await this.#lane.run(() => this.#end(graceMs));
    if (!(await this.#ladder.isOver(graceMs))) await this.endProcesses(graceMs);
    await this.#moveOut();
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

  /** As `drop`, without a word, for a session that cannot be advanced. */
  async abandon(graceMs: number): Promise<void> {
    this.#left.abort();
    await this.#stop(graceMs);
    await this.#moveOut();
  }

  /** Ends every process of this session, whichever host and connection started it. */
  async endProcesses(limitMs: number): Promise<void> {
    await endMarked({ owner: this.#owner }, { termMs: limitMs, killMs: limitMs });
  }

  async #open(): Promise<HarnessConnection> {
    this.#outdated = false;
    const climbed = await this.#ladder.climb(this.#binding);
    const { connection } = climbed;
    await this.#announce(climbed).catch(async (error: unknown) => {
      await connection.close(0);
      throw error;
    });
    this.#connection = connection;
    this.#binding = climbed.binding;
    this.#read(connection).catch((error: unknown) => this.#options.onFault(error as Error));
    return connection;
  }

  async #end(graceMs: number): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const binding = connection.binding();
    await this.#stop(graceMs);
    await this.#work.advance((draft) => this.#closed(draft, binding));
  }

  async #stop(graceMs: number): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close(graceMs).catch(() => undefined);
    await this.endProcesses(graceMs / 2);
  }

  /** Holds the directory that is there; a harness that works in another one, or in one that is gone, is ended. */
  async #settleIn(graceMs: number): Promise<void> {
    const { session, deadlines } = this.#work;
    const what = `Looking at ${session.directory}`;
    if (this.#directory !== undefined) {
      if ((await withDeadline(this.look(), deadlines.connectMs, what)) === "same") return;
      await this.#end(graceMs);
      await this.#moveOut();
    }
    const opening = HeldDirectory.open(session.directory);
    this.#directory = await withDeadline(opening, deadlines.connectMs, what, {
      signal: this.#left.signal,
      onLate: (late) => void late.close(),
    });
  }

  async #moveOut(): Promise<void> {
    const directory = this.#directory;
    this.#directory = undefined;
    await directory?.close();
  }

  async #announce({ connection, told }: Climbed): Promise<void> {
    const { harness, session } = this.#work;
    const { nativeSessionId, model, resumed } = connection;
    await this.#work.advance((draft) => {
      draft.begin();
      draft.say(...told, {
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

  /** The next connection waits in line: the processes that are ended here are all of the session. */
  #crashed(connection: HarnessConnection): Promise<void> {
    this.#connection = undefined;
    return this.#lane.run(async () => {
      await this.#work.advance((draft) => {
        this.#options.onCrash(draft, connection);
        draft.finish("lost");
        const exit = connection.exit === undefined ? undefined : { exit: connection.exit };
        draft.say({ type: "harness.ended", reason: "crashed", ...exit });
        this.#keep(draft, connection.binding());
      });
      await connection.close(0);
      await this.endProcesses(500);
    });
  }

  #closed(draft: SessionDraft, binding: Json): void {
    draft.finish("ended");
    draft.say({ type: "harness.ended", reason: "closed" });
    this.#keep(draft, binding);
  }

  /** What the connection gives, for the next one. */
  #keep(draft: SessionDraft, current: Json): void {
    this.#binding = { ...this.#binding, current };
    draft.bind(storedBinding(this.#binding));
  }
}
